import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Java's transactional producer: a transaction that is aborted, then one that stays open until it is to be committed. */
class Payer {
    static KafkaProducer<String, String> producer;

    static Map<String, Object> begin(String address, JsonNode ask) {
        String topic = ask.get("topic").asText();
        String payment = ask.get("payment").asText();
        if (producer == null) {
            producer = new KafkaProducer<>(properties(address));
            producer.initTransactions();
        }
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic, "not " + payment));
        producer.flush();
        producer.abortTransaction();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic, payment));
        producer.flush();
        return new LinkedHashMap<>();
    }

    static Map<String, Object> finish() {
        producer.commitTransaction();
        return new LinkedHashMap<>();
    }

    static Properties properties(String address) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", address);
        properties.put("transactional.id", "payer-java");
        properties.put("transaction.timeout.ms", "300000");
        properties.put("max.block.ms", "60000");
        properties.put("key.serializer", StringSerializer.class.getName());
        properties.put("value.serializer", StringSerializer.class.getName());
        return properties;
    }
}
