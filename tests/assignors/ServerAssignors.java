import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataDelta;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataImage;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.api.assignor.ConsumerGroupPartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.GroupSpec;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.assignor.RangeAssignor;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.GroupSpecImpl;
import org.apache.kafka.coordinator.group.modern.MemberSubscriptionAndAssignmentImpl;
import org.apache.kafka.coordinator.group.modern.TargetAssignmentBuilder;
import org.apache.kafka.coordinator.group.modern.consumer.ConsumerGroupMember;

/** The assignors of Kafka's group coordinator, asked by our tests ("answer") and by our benchmarks ("time"). */
public class ServerAssignors {
    static final int BUCKETS = 5;

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("answer"))
            answerAll();
        else
            timeOne(arguments);
    }

    static ConsumerGroupPartitionAssignor assignor(String name) {
        return name.equals("range") ? new RangeAssignor() : new UniformAssignor();
    }

    static Uuid topicId(int topic) {
        return new Uuid(1, topic);
    }

    record Topics(int[] partitions) implements SubscribedTopicDescriber {
        public int numPartitions(Uuid topicId) {
            int topic = (int) topicId.getLeastSignificantBits();
            return topic < partitions.length ? partitions[topic] : -1;
        }

        public Set<String> racksForPartition(Uuid topicId, int partition) {
            return Set.of();
        }
    }

    record Member(Optional<String> instanceId, Set<Uuid> topics, Map<Uuid, Set<Integer>> target) { }

    static GroupSpec spec(Map<String, Member> members, SubscriptionType type) {
        Map<String, MemberSubscriptionAndAssignmentImpl> told = new HashMap<>();
        Map<Uuid, Map<Integer, String>> owners = new HashMap<>();
        members.forEach((id, member) -> {
            told.put(id, new MemberSubscriptionAndAssignmentImpl(
                Optional.empty(), member.instanceId(), member.topics(), new Assignment(member.target())));
            member.target().forEach((topic, numbers) -> {
                Map<Integer, String> of = owners.computeIfAbsent(topic, any -> new HashMap<>());
                numbers.forEach(number -> of.put(number, id));
            });
        });
        return new GroupSpecImpl(told, type, owners);
    }

    // --- answer: one case a line, "assignor TAB counts TAB members" -------------------------------------------------
    // counts   the partitions of each topic, by commas
    // members  id;instance;topics;owned   by blanks. topics by commas, owned as t:p by commas; both are numbers
    // reply    for each member t:p,t:p    by blanks

    static void answerAll() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintWriter out = new PrintWriter(
            new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8), 1 << 16));
        for (String line = in.readLine(); line != null; line = in.readLine())
            out.println(answer(line.split("\t", -1)));
        out.flush();
    }

    static String answer(String[] parts) {
        Topics topics = new Topics(Arrays.stream(parts[1].split(",")).mapToInt(Integer::parseInt).toArray());
        Map<String, Member> members = new LinkedHashMap<>();
        for (String told : parts[2].split(" ")) {
            String[] words = told.split(";", -1);
            Set<Uuid> wanted = new HashSet<>();
            for (String topic : words[2].isEmpty() ? new String[0] : words[2].split(","))
                wanted.add(topicId(Integer.parseInt(topic)));
            Map<Uuid, Set<Integer>> target = new HashMap<>();
            for (String owned : words[3].isEmpty() ? new String[0] : words[3].split(",")) {
                String[] of = owned.split(":");
                target.computeIfAbsent(topicId(Integer.parseInt(of[0])), any -> new HashSet<>())
                    .add(Integer.parseInt(of[1]));
            }
            members.put(words[0],
                new Member(words[1].isEmpty() ? Optional.empty() : Optional.of(words[1]), wanted, target));
        }
        boolean same = members.values().stream().map(Member::topics).distinct().count() == 1;
        Map<String, MemberAssignment> found = assignor(parts[0]).assign(
            spec(members, same ? SubscriptionType.HOMOGENEOUS : SubscriptionType.HETEROGENEOUS), topics).members();
        return members.keySet().stream().map(id -> written(found.get(id))).collect(Collectors.joining(" "));
    }

    static String written(MemberAssignment assignment) {
        String told = assignment == null ? "" : assignment.partitions().entrySet().stream()
            .flatMap(of -> of.getValue().stream().map(p -> of.getKey().getLeastSignificantBits() + ":" + p))
            .collect(Collectors.joining(","));
        return told.isEmpty() ? "-" : told;
    }

    // --- time: assignor same|buckets members topics partitions rounds warm-ups; one member joins --------------------
    // Of "buckets" each fifth of the members subscribes to its own fifth of the topics.
    // reply: a line for each round: milliseconds of assign, milliseconds and milliseconds of processor time of the whole
    // way to the bytes of records. One line says what moved, and how balanced the result is

    static void timeOne(String[] arguments) {
        String name = arguments[1];
        boolean same = arguments[2].equals("same");
        int count = Integer.parseInt(arguments[3]);
        int topicCount = Integer.parseInt(arguments[4]);
        int rounds = Integer.parseInt(arguments[6]);
        int warmUps = Integer.parseInt(arguments[7]);
        int[] partitions = new int[topicCount];
        Arrays.fill(partitions, Integer.parseInt(arguments[5]));
        Topics topics = new Topics(partitions);
        SubscriptionType type = same ? SubscriptionType.HOMOGENEOUS : SubscriptionType.HETEROGENEOUS;
        int buckets = same ? 1 : BUCKETS;
        int perBucket = (count + buckets - 1) / buckets;
        int topicsPerBucket = (topicCount + buckets - 1) / buckets;
        Map<String, Member> members = new HashMap<>();
        for (int number = 0; number < count; number++) {
            Set<Uuid> wanted = new HashSet<>();
            int bucket = number == count - 1 ? 0 : number / perBucket;
            for (int t = bucket * topicsPerBucket; t < Math.min(topicCount, (bucket + 1) * topicsPerBucket); t++)
                wanted.add(topicId(t));
            members.put(String.format("member-%05d", number), new Member(Optional.empty(), wanted, Map.of()));
        }
        String joiner = String.format("member-%05d", count - 1);
        Member joins = members.remove(joiner);
        Map<String, MemberAssignment> owned = assignor(name).assign(spec(members, type), topics).members();
        members.replaceAll((id, member) ->
            new Member(member.instanceId(), member.topics(), new HashMap<>(owned.get(id).partitions())));
        members.put(joiner, joins);
        GroupSpec spec = spec(members, type);
        Group group = group(members, type, topics);
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        for (int round = -warmUps; round < rounds; round++) {
            System.gc();
            long started = System.nanoTime();
            Map<String, MemberAssignment> found = assignor(name).assign(spec, topics).members();
            long assigned = System.nanoTime();
            System.gc();
            long processor = process.getProcessCpuTime();
            long began = System.nanoTime();
            long size = group.recordsOf(assignor(name));
            long done = System.nanoTime();
            processor = process.getProcessCpuTime() - processor;
            if (size == 0)
                throw new AssertionError("no record was written");
            if (round >= 0)
                System.out.println((assigned - started) / 1e6 + " " + (done - began) / 1e6 + " " + processor / 1e6);
            if (round == rounds - 1)
                report(found, owned);
        }
    }

    /** A group as Kafka's coordinator stores it between assignments. */
    record Group(Map<String, ConsumerGroupMember> members, Map<String, Assignment> targets,
                 Map<Uuid, Map<Integer, String>> owners, SubscriptionType type, CoordinatorMetadataImage image) {
        /** Assign the group as Kafka's coordinator does, and encode the records; return their size. */
        long recordsOf(ConsumerGroupPartitionAssignor assignor) {
            GroupCoordinatorRecordSerde serde = new GroupCoordinatorRecordSerde();
            long size = 0;
            for (CoordinatorRecord written : new TargetAssignmentBuilder.ConsumerTargetAssignmentBuilder("g", 3, assignor)
                .withTime(Time.SYSTEM)
                .withMembers(members)
                .withSubscriptionType(type)
                .withTargetAssignment(targets)
                .withInvertedTargetAssignment(owners)
                .withMetadataImage(image)
                .build()
                .records())
                size += serde.serializeKey(written).length + serde.serializeValue(written).length;
            return size;
        }
    }

    static Group group(Map<String, Member> members, SubscriptionType type, Topics topics) {
        Map<String, ConsumerGroupMember> stored = new HashMap<>();
        Map<String, Assignment> targets = new HashMap<>();
        Map<Uuid, Map<Integer, String>> owners = new HashMap<>();
        members.forEach((id, member) -> {
            List<String> names = member.topics().stream().map(ServerAssignors::topicName).toList();
            stored.put(id, new ConsumerGroupMember.Builder(id).setSubscribedTopicNames(names).build());
            if (!member.target().isEmpty())
                targets.put(id, new Assignment(member.target()));
            member.target().forEach((topic, numbers) -> {
                Map<Integer, String> of = owners.computeIfAbsent(topic, any -> new HashMap<>());
                numbers.forEach(number -> of.put(number, id));
            });
        });
        return new Group(stored, targets, owners, type, new Image(topics));
    }

    static String topicName(Uuid topicId) {
        return String.format("topic-%04d", topicId.getLeastSignificantBits());
    }

    record Topic(String name, Uuid id, int partitionCount) implements CoordinatorMetadataImage.TopicMetadata {
        public List<String> partitionRacks(int partition) {
            return List.of();
        }
    }

    /** The topics of a cluster as Kafka's coordinator sees them. */
    record Image(Map<String, Topic> byName, Map<Uuid, Topic> byId) implements CoordinatorMetadataImage {
        Image(Topics topics) {
            this(new HashMap<>(), new HashMap<>());
            for (int number = 0; number < topics.partitions().length; number++) {
                Uuid id = topicId(number);
                Topic topic = new Topic(topicName(id), id, topics.partitions()[number]);
                byName.put(topic.name(), topic);
                byId.put(id, topic);
            }
        }

        public Set<Uuid> topicIds() {
            return byId.keySet();
        }

        public Set<String> topicNames() {
            return byName.keySet();
        }

        public Optional<CoordinatorMetadataImage.TopicMetadata> topicMetadata(String name) {
            return Optional.ofNullable(byName.get(name));
        }

        public Optional<CoordinatorMetadataImage.TopicMetadata> topicMetadata(Uuid id) {
            return Optional.ofNullable(byId.get(id));
        }

        public CoordinatorMetadataDelta emptyDelta() {
            return CoordinatorMetadataDelta.EMPTY;
        }

        public long version() {
            return 1;
        }

        public boolean isEmpty() {
            return byId.isEmpty();
        }
    }

    static void report(Map<String, MemberAssignment> found, Map<String, MemberAssignment> owned) {
        long moved = 0;
        TreeSet<Integer> sizes = new TreeSet<>();
        for (Map.Entry<String, MemberAssignment> of : found.entrySet()) {
            Map<Uuid, Set<Integer>> has = of.getValue().partitions();
            sizes.add(has.values().stream().mapToInt(Set::size).sum());
            if (owned.containsKey(of.getKey()))
                for (Map.Entry<Uuid, Set<Integer>> had : owned.get(of.getKey()).partitions().entrySet())
                    for (int number : had.getValue())
                        moved += has.getOrDefault(had.getKey(), Set.of()).contains(number) ? 0 : 1;
        }
        System.out.println("moved " + moved + " smallest " + sizes.first() + " largest " + sizes.last());
    }
}
