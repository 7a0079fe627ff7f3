import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * Peer of `make bench ARGS=peers` and `pipeline-takeover`. Arguments: workload address topic table output records
 * key=value... It ends after so many records.
 */
public final class Streams {
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final long LIMIT_MINUTES = 25;

    public static void main(String[] args) throws Exception {
        String workload = args[0];
        Properties settings = new Properties();
        settings.put("application.id", args[4]);
        settings.put("bootstrap.servers", args[1]);
        settings.put("auto.offset.reset", "earliest");
        settings.put("replication.factor", "1");
        for (int i = 6; i < args.length; i++) {
            String[] parts = args[i].split("=", 2);
            settings.put(parts[0], parts[1]);
        }
        long records = Long.parseLong(args[5]);
        AtomicLong seen = new AtomicLong();
        CountDownLatch done = new CountDownLatch(1);
        StreamsBuilder builder = new StreamsBuilder();
        KStream<byte[], byte[]> events = builder
            .stream(args[2], Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
            .peek((key, value) -> {
                if (seen.incrementAndGet() == records) done.countDown();
            });
        result(workload, builder, events, args[3]).to(args[4], Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
        KafkaStreams streams = new KafkaStreams(builder.build(settings), settings);
        streams.setUncaughtExceptionHandler(error -> {
            error.printStackTrace();
            Runtime.getRuntime().halt(1);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.setStandbyUpdateListener(new Copies());
        streams.start();
        boolean ended = done.await(LIMIT_MINUTES, TimeUnit.MINUTES);
        streams.close();
        if (!ended || seen.get() != records) {
            System.err.println(seen.get() + " records were processed, of " + records);
            System.exit(1);
        }
    }

    private static KStream<byte[], byte[]> result(
        String workload, StreamsBuilder builder, KStream<byte[], byte[]> events, String table) {
        var grouped = Grouped.with(Serdes.ByteArray(), Serdes.ByteArray());
        switch (workload) {
            case "counts":
                return events.groupByKey(grouped).count().toStream().mapValues(Streams::text);
            case "each":
                return events.groupByKey(grouped)
                    .count(Materialized.<byte[], Long, KeyValueStore<
                        Bytes, byte[]>>as("counts").withCachingDisabled())
                    .toStream().mapValues(Streams::text);
            case "keep":
                return events.groupByKey(grouped)
                    .reduce((before, value) -> value, Materialized.<byte[], byte[], KeyValueStore<
                        Bytes, byte[]>>as("last").withCachingDisabled())
                    .toStream().mapValues(value -> new byte[] {'1'});
            case "windows":
                return events.groupByKey(grouped).windowedBy(TimeWindows.ofSizeWithNoGrace(WINDOW)).count().toStream()
                    .map((window, count) -> KeyValue.pair(
                        window.key(), (window.window().start() + " " + count).getBytes()));
            case "join":
                var segments = builder.globalTable(table,
                    Materialized.<byte[], byte[]>as(Stores.inMemoryKeyValueStore("segments"))
                        .withKeySerde(Serdes.ByteArray()).withValueSerde(Serdes.ByteArray()));
                return events.join(segments, (key, value) -> key, (value, segment) -> segment);
            default:
                throw new IllegalArgumentException(workload);
        }
    }

    /** Prints the number of records that standby tasks have copied. */
    private static final class Copies implements StandbyUpdateListener {
        private long copied;

        @Override
        public void onUpdateStart(TopicPartition changelog, String store, long startingOffset) {}

        @Override
        public synchronized void onBatchLoaded(
            TopicPartition changelog, String store, TaskId task, long batchEnd, long size, long logEnd) {
            copied += size;
            System.out.println("copied " + copied);
        }

        @Override
        public void onUpdateSuspended(
            TopicPartition changelog, String store, long offset, long logEnd, SuspendReason reason) {}
    }

    private static byte[] text(Long count) {
        return Long.toString(count).getBytes();
    }
}
