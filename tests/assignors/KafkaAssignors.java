import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** Kafka's own assignors, asked by our tests ("answer") and by our benchmarks ("time"). */
public class KafkaAssignors {
    static final int ROUNDS_MAX = 8;
    static final int CPU_S = 2;
    static final int LOOK_MS = 100;
    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("answer"))
            answerAll();
        else
            timeOne(arguments);
    }

    static ConsumerPartitionAssignor assignor(String name) {
        return switch (name) {
            case "range" -> new RangeAssignor();
            case "roundrobin" -> new RoundRobinAssignor();
            case "sticky" -> new StickyAssignor();
            default -> new CooperativeStickyAssignor();
        };
    }

    // --- answer: one case a line, "assignor TAB topics TAB members" -------------------------------------------------
    // topics   name=racks,racks,...     for each partition the racks of its replicas, one letter each; by blanks
    // members  id;instance;hex          the hex of the subscription as sent to the group; by blanks
    // reply    for each member t:p,t:p  by blanks; of cooperative-sticky after as many rounds as it needs. Or "! why":
    //          Kafka 4.3.0 does not come to an end with some groups whose subscriptions differ

    static void answerAll() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintWriter out = new PrintWriter(
            new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8), 1 << 16));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.split("\t", -1);
            FutureTask<String> task = new FutureTask<>(() -> answer(parts));
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
            out.println(answerOf(task, thread));
        }
        out.flush();
    }

    /** Wait for an answer. A thread without an end uses processor time, whatever else runs on the machine. */
    @SuppressWarnings("removal")
    static String answerOf(FutureTask<String> task, Thread thread) throws InterruptedException {
        while (true) {
            try {
                return task.get(LOOK_MS, TimeUnit.MILLISECONDS);
            } catch (ExecutionException reason) {
                return "! " + reason.getCause().toString().replace('\n', ' ');
            } catch (TimeoutException notYet) {
                if (THREADS.getThreadCpuTime(thread.getId()) > TimeUnit.SECONDS.toNanos(CPU_S)) {
                    thread.stop();
                    return "! no answer after " + CPU_S + " s of processor time";
                }
            }
        }
    }

    static String answer(String[] parts) {
        ConsumerPartitionAssignor assignor = assignor(parts[0]);
        Cluster cluster = cluster(parts[1].isEmpty() ? new String[0] : parts[1].split(" "));
        List<String> ids = new ArrayList<>();
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (String member : parts[2].split(" ")) {
            String[] told = member.split(";", -1);
            ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(told[2]));
            Subscription subscription = ConsumerProtocol.deserializeSubscription(bytes);
            subscription.setGroupInstanceId(told[1].isEmpty() ? Optional.empty() : Optional.of(told[1]));
            ids.add(told[0]);
            subscriptions.put(told[0], subscription);
        }
        Map<String, Assignment> found = assignor.assign(cluster, new GroupSubscription(subscriptions)).groupAssignment();
        if (assignor instanceof CooperativeStickyAssignor)
            found = untilSettled(cluster, subscriptions, found);
        Map<String, Assignment> answer = found;
        return ids.stream().map(id -> written(answer.get(id))).collect(Collectors.joining(" "));
    }

    static Map<String, Assignment> untilSettled(
            Cluster cluster, Map<String, Subscription> subscriptions, Map<String, Assignment> found) {
        Map<String, Assignment> before = found;
        for (int generation = 1_000; generation < 1_000 + ROUNDS_MAX; generation++) {
            Map<String, Subscription> next = new HashMap<>();
            for (Map.Entry<String, Subscription> of : subscriptions.entrySet()) {
                Subscription told = new Subscription(of.getValue().topics(), null,
                    before.get(of.getKey()).partitions(), generation, of.getValue().rackId());
                told.setGroupInstanceId(of.getValue().groupInstanceId());
                next.put(of.getKey(), told);
            }
            Map<String, Assignment> after =
                new CooperativeStickyAssignor().assign(cluster, new GroupSubscription(next)).groupAssignment();
            boolean settled = true;
            for (String id : after.keySet())
                settled &= sorted(after.get(id)).equals(sorted(before.get(id)));
            if (settled)
                return after;
            before = after;
        }
        throw new IllegalStateException("not settled after " + ROUNDS_MAX + " rounds");
    }

    static List<String> sorted(Assignment assignment) {
        return assignment.partitions().stream().map(TopicPartition::toString).sorted().collect(Collectors.toList());
    }

    static String written(Assignment assignment) {
        if (assignment.partitions().isEmpty())
            return "-";
        return assignment.partitions().stream().map(of -> of.topic() + ":" + of.partition())
            .collect(Collectors.joining(","));
    }

    static Cluster cluster(String[] topics) {
        Map<Character, Node> nodes = new HashMap<>();
        List<PartitionInfo> partitions = new ArrayList<>();
        for (String topic : topics) {
            String[] told = topic.split("=", -1);
            String[] racks = told[1].split(",", -1);
            for (int number = 0; number < racks.length; number++) {
                Node[] replicas = racks[number].chars().mapToObj(rack -> nodes.computeIfAbsent((char) rack,
                    name -> new Node(nodes.size(), "h", 9092, String.valueOf(name)))).toArray(Node[]::new);
                partitions.add(new PartitionInfo(told[0], number, null, replicas, replicas));
            }
        }
        return new Cluster("c", nodes.values(), partitions, Collections.emptySet(), Collections.emptySet());
    }

    // --- time: assignor members topics partitions rounds warm-ups; one member has left ------------------------------
    // reply: a line for each round, "milliseconds-of-assign milliseconds-of-the-whole". assign works on subscriptions
    // that were read before; the whole is from the bytes of JoinGroup to the bytes of SyncGroup. One line says what
    // moved, and how balanced the result is

    static void timeOne(String[] arguments) throws Exception {
        String name = arguments[1];
        int members = Integer.parseInt(arguments[2]);
        int topics = Integer.parseInt(arguments[3]);
        int partitions = Integer.parseInt(arguments[4]);
        int rounds = Integer.parseInt(arguments[5]);
        int warmUps = Integer.parseInt(arguments[6]);
        String[] told = new String[topics];
        List<String> names = new ArrayList<>();
        for (int topic = 0; topic < topics; topic++) {
            names.add(String.format("topic-%04d", topic));
            told[topic] = names.get(topic) + "=" + ",".repeat(partitions - 1);
        }
        Cluster cluster = cluster(told);
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (int member = 0; member < members; member++)
            subscriptions.put(String.format("member-%05d", member), new Subscription(names, null));
        Map<String, Assignment> owned =
            assignor(name).assign(cluster, new GroupSubscription(subscriptions)).groupAssignment();
        subscriptions.remove(String.format("member-%05d", members - 1));
        Map<String, ByteBuffer> bytes = new HashMap<>();
        for (String id : subscriptions.keySet())
            bytes.put(id, ConsumerProtocol.serializeSubscription(subscription(name, names, owned.get(id))));
        Map<String, Subscription> held = read(bytes);
        for (int round = -warmUps; round < rounds; round++) {
            System.gc();
            held.values().stream().map(Subscription::userData).filter(Objects::nonNull).forEach(ByteBuffer::rewind);
            long started = System.nanoTime();
            Map<String, Assignment> found =
                assignor(name).assign(cluster, new GroupSubscription(held)).groupAssignment();
            long assigned = System.nanoTime();
            if (round == rounds - 1)
                report(found, owned);
            found = null;
            System.gc();
            long begun = System.nanoTime();
            found = assignor(name).assign(cluster, new GroupSubscription(read(bytes))).groupAssignment();
            Map<String, ByteBuffer> answer = new HashMap<>();
            found.forEach((id, assignment) -> answer.put(id, ConsumerProtocol.serializeAssignment(assignment)));
            long written = System.nanoTime();
            if (round >= 0)
                System.out.println((assigned - started) / 1e6 + " " + (written - begun) / 1e6);
        }
    }

    static Map<String, Subscription> read(Map<String, ByteBuffer> bytes) {
        Map<String, Subscription> read = new HashMap<>();
        bytes.forEach((id, blob) -> read.put(id, ConsumerProtocol.deserializeSubscription(blob.duplicate())));
        return read;
    }

    static Subscription subscription(String name, List<String> topics, Assignment owned) {
        ConsumerPartitionAssignor assignor = assignor(name);
        assignor.onAssignment(owned, new ConsumerGroupMetadata("g", 1, "m", Optional.empty()));
        ByteBuffer userData = assignor.subscriptionUserData(Collections.emptySet());
        List<TopicPartition> still = name.equals("sticky") ? Collections.emptyList() : owned.partitions();
        return new Subscription(topics, userData, still, 1, Optional.empty());
    }

    static void report(Map<String, Assignment> found, Map<String, Assignment> owned) {
        long moved = 0;
        int[] sizes = new int[found.size()];
        int index = 0;
        for (Map.Entry<String, Assignment> of : found.entrySet()) {
            sizes[index++] = of.getValue().partitions().size();
            HashMap<TopicPartition, Boolean> kept = new HashMap<>();
            of.getValue().partitions().forEach(partition -> kept.put(partition, true));
            moved += owned.get(of.getKey()).partitions().stream().filter(had -> !kept.containsKey(had)).count();
        }
        Arrays.sort(sizes);
        System.out.println("moved " + moved + " smallest " + sizes[0] + " largest " + sizes[sizes.length - 1]);
    }
}
