import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupResult;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Kafka's own consumers, admin client and command-line tools, all in one JVM that does as it is told.
 *
 * Each line of standard input is a JSON object with a number and what to do; each line of standard output is the answer
 * to one of them, or tells what happened to a member. Every member polls in a thread of its own.
 */
public class JavaClients {
    static final ObjectMapper JSON = new ObjectMapper();
    static final PrintStream OUT = System.out;
    static final InputStream IN = System.in;
    static final Map<String, Member> MEMBERS = new HashMap<>();
    static String address;

    public static void main(String[] arguments) throws Exception {
        address = arguments[0];
        BufferedReader lines = new BufferedReader(new InputStreamReader(IN, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonNode ask = JSON.readTree(line);
            Map<String, Object> answer;
            try {
                answer = answer(ask);
            } catch (Exception error) {
                Throwable cause = error instanceof ExecutionException ? error.getCause() : error;
                answer = new LinkedHashMap<>();
                answer.put("refused", cause.getClass().getSimpleName());
                answer.put("message", String.valueOf(cause.getMessage()));
            }
            answer.put("answers", ask.get("number").asInt());
            tell(answer);
        }
        Runtime.getRuntime().halt(0);
    }

    static Map<String, Object> answer(JsonNode ask) throws Exception {
        switch (ask.get("do").asText()) {
            case "join": return join(ask);
            case "close": return close(ask.get("member").asText());
            case "tool": return tool(ask);
            case "remove": return remove(ask);
            case "transform": return Transformer.transform(address, ask);
            case "begin": return Payer.begin(address, ask);
            case "finish": return Payer.finish();
            case "describe": return describe(ask.get("group").asText());
            default: throw new IllegalArgumentException(ask.toString());
        }
    }

    static synchronized void tell(Map<String, Object> what) throws Exception {
        OUT.println(JSON.writeValueAsString(what));
        OUT.flush();
    }

    // --- members ----------------------------------------------------------------------------------------------------

    static Map<String, Object> join(JsonNode ask) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", address);
        properties.put("key.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("value.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("auto.offset.reset", "earliest");
        properties.put("enable.auto.commit", "false");
        properties.put("metadata.max.age.ms", "2000");
        ask.get("config").properties().forEach(entry -> properties.put(entry.getKey(), entry.getValue().asText()));
        Member member = new Member(ask.get("member").asText(), ask.get("topic").asText(), properties);
        MEMBERS.put(member.name, member);
        member.start();
        return new LinkedHashMap<>();
    }

    /** The group keeps the membership of a static member (KIP-345). */
    static Map<String, Object> close(String name) throws Exception {
        Member member = MEMBERS.remove(name);
        if (member != null) {
            member.consumer.wakeup();
            member.join();
        }
        return new LinkedHashMap<>();
    }

    static class Member extends Thread implements ConsumerRebalanceListener {
        final String name;
        final String topic;
        final KafkaConsumer<byte[], byte[]> consumer;

        Member(String name, String topic, Properties properties) {
            this.name = name;
            this.topic = topic;
            this.consumer = new KafkaConsumer<>(properties);
            setDaemon(true);
        }

        @Override
        public void run() {
            try (KafkaConsumer<byte[], byte[]> closed = consumer) {
                consumer.subscribe(List.of(topic), this);
                List<List<Object>> read = new ArrayList<>();
                while (true) {
                    for (ConsumerRecord<byte[], byte[]> one : consumer.poll(Duration.ofMillis(100))) {
                        read.add(List.of(one.partition(), one.offset()));
                    }
                    if (!read.isEmpty() && commits()) {
                        event("read", read);
                        read.clear();
                    }
                }
            } catch (WakeupException closing) {
                // that is how a member is closed
            } catch (Exception error) {
                event("failed", error.getClass().getSimpleName());
            }
        }

        /** Not in the middle of a rebalance: what it keeps is committed later, what moves is read again elsewhere. */
        boolean commits() {
            try {
                consumer.commitSync();
                return true;
            } catch (CommitFailedException | RebalanceInProgressException moving) {
                return false;
            }
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> added) {
            event("assigned", consumer.assignment().stream().map(TopicPartition::partition).sorted().toList());
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            event("revoked", revoked.stream().map(TopicPartition::partition).sorted().toList());
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> lost) {
            event("lost", lost.stream().map(TopicPartition::partition).sorted().toList());
        }

        void event(String kind, Object what) {
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("member", name);
            told.put(kind, what);
            try {
                tell(told);
            } catch (Exception error) {
                throw new RuntimeException(error);
            }
        }
    }

    // --- Admin ------------------------------------------------------------------------------------------------------

    static Admin admin() {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", address);
        return Admin.create(properties);
    }

    static Map<String, Object> remove(JsonNode ask) throws Exception {
        List<MemberToRemove> wanted = new ArrayList<>();
        ask.get("instances").forEach(instance -> wanted.add(new MemberToRemove(instance.asText())));
        RemoveMembersFromConsumerGroupOptions options = new RemoveMembersFromConsumerGroupOptions(wanted);
        options.reason("asked for by a test");
        try (Admin admin = admin()) {
            RemoveMembersFromConsumerGroupResult result =
                admin.removeMembersFromConsumerGroup(ask.get("group").asText(), options);
            Map<String, Object> results = new TreeMap<>();
            for (MemberToRemove member : wanted) {
                try {
                    result.memberResult(member).get();
                    results.put(member.groupInstanceId(), "removed");
                } catch (ExecutionException error) {
                    results.put(member.groupInstanceId(), error.getCause().getClass().getSimpleName());
                }
            }
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("results", results);
            return answer;
        }
    }

    static Map<String, Object> describe(String group) throws Exception {
        try (Admin admin = admin()) {
            ConsumerGroupDescription found = admin.describeConsumerGroups(List.of(group)).all().get().get(group);
            Map<String, Object> assignments = new TreeMap<>();
            for (MemberDescription member : found.members()) {
                List<Integer> partitions =
                    member.assignment().topicPartitions().stream().map(TopicPartition::partition).sorted().toList();
                assignments.put(member.groupInstanceId().orElse(member.consumerId()), partitions);
            }
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("state", found.groupState().toString());
            answer.put("assignor", found.partitionAssignor());
            answer.put("assignments", assignments);
            return answer;
        }
    }

    // --- command-line tools -----------------------------------------------------------------------------------------

    /** What a tool would have printed, and the status with which its process would have ended. */
    static Map<String, Object> tool(JsonNode ask) throws Exception {
        List<String> arguments = new ArrayList<>();
        ask.get("arguments").forEach(argument -> arguments.add(argument.asText()));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream console = new PrintStream(printed, true, StandardCharsets.UTF_8);
        AtomicReference<Integer> status = new AtomicReference<>();
        Class<?> exit = exit();
        Class<?> procedure = Class.forName(exit.getName() + "$Procedure");
        Object ending = Proxy.newProxyInstance(exit.getClassLoader(), new Class<?>[] {procedure}, (self, method, given) -> {
            status.compareAndSet(null, (Integer) given[0]);  // some tools catch what is thrown here, and end once more
            throw new Ended();
        });
        exit.getMethod("setExitProcedure", procedure).invoke(null, ending);
        System.setOut(console);
        System.setErr(console);
        System.setIn(new ByteArrayInputStream(ask.path("input").asText("").getBytes(StandardCharsets.UTF_8)));
        try {
            Class.forName(ask.get("main").asText())
                .getMethod("main", String[].class)
                .invoke(null, (Object) arguments.toArray(new String[0]));
        } catch (java.lang.reflect.InvocationTargetException error) {
            if (!(error.getCause() instanceof Ended)) {
                throw error;
            }
        } finally {
            System.setOut(OUT);
            System.setIn(IN);
            exit.getMethod("resetExitProcedure").invoke(null);
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("status", status.get() == null ? 0 : status.get());
        answer.put("printed", printed.toString(StandardCharsets.UTF_8));
        return answer;
    }

    /** Kafka's class through which tools end; it has another package since version 4.4. */
    static Class<?> exit() throws ClassNotFoundException {
        try {
            return Class.forName("org.apache.kafka.common.utils.internals.Exit");
        } catch (ClassNotFoundException before) {
            return Class.forName("org.apache.kafka.common.utils.Exit");
        }
    }

    /** A tool wants its process to end. */
    static class Ended extends Error {
        Ended() {
            super(null, null, false, false);
        }
    }
}
