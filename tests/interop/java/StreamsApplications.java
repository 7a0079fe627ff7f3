import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Repartitioned;

/**
 * Several Kafka Streams applications in one process. Each line of standard input is a command: `start NAME TOPOLOGY
 * key=value ...` or `stop NAME`. Each line of output is the name of an application and its new state, or an error.
 */
public class StreamsApplications {
    public static void main(String[] arguments) throws Exception {
        Map<String, KafkaStreams> running = new HashMap<>();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = commands.readLine()) != null) {
            String[] words = line.split(" ");
            if (words[0].equals("start")) {
                running.put(words[1], start(words[1], words[2], Arrays.copyOfRange(words, 3, words.length)));
            } else {
                running.remove(words[1]).close(Duration.ofSeconds(30));
                System.out.println(words[1] + " CLOSED");
            }
        }
        running.values().forEach(streams -> streams.close(Duration.ofSeconds(5)));
    }

    private static KafkaStreams start(String name, String topology, String[] configs) {
        Properties properties = new Properties();
        properties.put("group.protocol", "streams");
        properties.put("auto.offset.reset", "earliest");
        properties.put("commit.interval.ms", "100");
        properties.put("default.key.serde", Serdes.String().getClass());
        properties.put("default.value.serde", Serdes.String().getClass());
        for (String pair : configs) {
            String[] parts = pair.split("=", 2);
            properties.put(parts[0], parts[1]);
        }
        KafkaStreams streams = new KafkaStreams(topology(topology), properties);
        streams.setStateListener((state, before) -> System.out.println(name + " " + state));
        streams.setUncaughtExceptionHandler(error -> {
            System.out.println(name + " EXCEPTION " + error);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.start();
        return streams;
    }

    private static Topology topology(String name) {
        StreamsBuilder builder = new StreamsBuilder();
        switch (name) {
            case "counts" -> counted(builder.stream("lines")).to("counts");
            case "other-counts" -> counted(builder.<String, String>stream("lines").filter((key, line) -> true).merge(
                builder.stream("more-lines"))).to("counts");
            case "late" -> builder.stream("late-lines").to("late-copies");
            case "join" -> builder.<String, String>stream("visits")
                .join(builder.<String, String>table("names"), (visit, user) -> user + " " + visit)
                .to("joined");
            case "repartition" -> builder.<String, String>stream("lines")
                .repartition(Repartitioned.<String, String>as("two").withNumberOfPartitions(2))
                .to("copies");
            default -> throw new IllegalArgumentException(name);
        }
        return builder.build();
    }

    private static KStream<String, String> counted(KStream<String, String> lines) {
        return lines.flatMapValues(line -> Arrays.asList(line.split(" ")))
            .groupBy((key, word) -> word)
            .count()
            .toStream()
            .mapValues(count -> Long.toString(count));
    }
}
