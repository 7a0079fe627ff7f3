import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import kafka.server.*; // ClientRequestQuotaManager, in Apache Kafka 4.3
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Quota;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.network.Session;
import org.apache.kafka.server.config.ClientQuotaManagerConfig;
import org.apache.kafka.server.quota.ClientQuotaEntity;
import org.apache.kafka.server.quota.ClientQuotaManager;
import org.apache.kafka.server.quota.ControllerMutationQuotaManager;
import org.apache.kafka.server.quota.QuotaType;
import org.apache.kafka.server.quota.*; // the same since 4.4

/**
 * Throttles with Apache Kafka's managers of client quotas, in virtual time. Each line of the input is tab-separated:
 * `new` with kind, number and seconds of windows begins anew; `quota` sets or removes one; `record` and `strict` are
 * answered with a throttle time in milliseconds, `strict` also with whether the request is accepted.
 */
public class Throttling {
    private static final class Clock implements Time {
        long now;
        public long milliseconds() { return now; }
        public long nanoseconds() { return now * 1_000_000; }
        public void sleep(long ms) { now += ms; }
        public void waitObject(Object o, Supplier<Boolean> condition, long deadlineMs) { throw new IllegalStateException(); }
    }

    private static Optional<ClientQuotaEntity.ConfigEntity> user(String name) {
        if (name.equals("-")) return Optional.empty();
        if (name.equals("*")) return Optional.of(ClientQuotaManager.DEFAULT_USER_ENTITY);
        return Optional.of(new ClientQuotaManager.UserEntity(name));
    }

    private static Optional<ClientQuotaEntity.ConfigEntity> client(String name) {
        if (name.equals("-")) return Optional.empty();
        if (name.equals("*")) return Optional.of(ClientQuotaManager.DEFAULT_USER_CLIENT_ID);
        return Optional.of(new ClientQuotaManager.ClientIdEntity(name));
    }

    public static void main(String[] args) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new StringBuilder();
        var clock = new Clock();
        ClientQuotaManager manager = null;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split("\t", -1);
            switch (words[0]) {
                case "new" -> {
                    if (manager != null) manager.shutdown();
                    clock.now = Long.parseLong(words[4]);
                    var config = new ClientQuotaManagerConfig(Integer.parseInt(words[2]), Integer.parseInt(words[3]));
                    var metrics = new Metrics(clock);
                    manager = switch (words[1]) {
                        case "controller_mutation_rate" ->
                            new ControllerMutationQuotaManager(config, metrics, clock, "x", Optional.empty());
                        case "request_percentage" ->
                            new ClientRequestQuotaManager(config, metrics, clock, "x", Optional.empty());
                        default -> new ClientQuotaManager(config, metrics, QuotaType.PRODUCE, clock, "x");
                    };
                }
                case "quota" -> manager.updateQuota(user(words[1]), client(words[2]),
                    words[3].isEmpty() ? Optional.empty() : Optional.of(Quota.upperBound(Double.parseDouble(words[3]))));
                default -> {
                    clock.now = Long.parseLong(words[4]);
                    var session = new Session(new KafkaPrincipal("User", words[1]), InetAddress.getLoopbackAddress());
                    double value = Double.parseDouble(words[3]);
                    if (words[0].equals("record")) {
                        int throttleMs = manager.maybeRecordAndGetThrottleTimeMs(session, words[2], value, clock.now);
                        output.append(throttleMs).append('\n');
                    } else {
                        var quota = ((ControllerMutationQuotaManager) manager).newStrictQuotaFor(session, words[2]);
                        boolean accepted = true;
                        try {
                            quota.record(value);
                        } catch (ThrottlingQuotaExceededException exceeded) {
                            accepted = false;
                        }
                        output.append(accepted).append(' ').append(quota.throttleTime()).append('\n');
                    }
                }
            }
        }
        System.out.print(output);
        System.out.flush();
        System.exit(0);
    }
}
