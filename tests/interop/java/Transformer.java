import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Consume, transform, produce with Java's transactional producer: the same records once per transaction. */
class Transformer {
    static Map<String, Object> transform(String address, JsonNode ask) {
        String source = ask.get("source").asText();
        String target = ask.get("target").asText();
        Properties reading = new Properties();
        reading.put("bootstrap.servers", address);
        reading.put("group.id", source);
        reading.put("auto.offset.reset", "earliest");
        reading.put("enable.auto.commit", "false");
        reading.put("isolation.level", "read_committed");
        reading.put("key.deserializer", ByteArrayDeserializer.class.getName());
        reading.put("value.deserializer", ByteArrayDeserializer.class.getName());
        Properties writing = new Properties();
        writing.put("bootstrap.servers", address);
        writing.put("transactional.id", target + "-java");
        writing.put("key.serializer", ByteArraySerializer.class.getName());
        writing.put("value.serializer", ByteArraySerializer.class.getName());
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(reading);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(writing)) {
            consumer.subscribe(List.of(source));
            producer.initTransactions();
            List<ConsumerRecord<byte[], byte[]>> taken = new ArrayList<>();
            while (taken.size() < ask.get("count").asInt()) {
                consumer.poll(Duration.ofMillis(500)).forEach(taken::add);
            }
            Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
            consumer.assignment().forEach(one -> positions.put(one, new OffsetAndMetadata(consumer.position(one))));
            for (JsonNode commits : ask.get("ends")) {
                producer.beginTransaction();
                for (ConsumerRecord<byte[], byte[]> one : taken) {
                    byte[] value = (new String(one.value()) + (commits.asBoolean() ? "!" : "?")).getBytes();
                    producer.send(new ProducerRecord<>(target, one.key(), value));
                }
                producer.sendOffsetsToTransaction(positions, consumer.groupMetadata());
                if (commits.asBoolean()) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }
        return new LinkedHashMap<>();
    }
}
