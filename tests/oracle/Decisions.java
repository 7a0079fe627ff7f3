import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/**
 * Decides with Apache Kafka's StandardAuthorizer. Each line of the input is tab-separated: `new`, the default and super
 * users, begins with no ACLs; `acl` adds one; `ask` is answered with one line. A resource without a name means any.
 */
public class Decisions {
    private record Client(KafkaPrincipal principal, InetAddress clientAddress) implements AuthorizableRequestContext {
        public String listenerName() { return "PLAINTEXT"; }
        public SecurityProtocol securityProtocol() { return SecurityProtocol.PLAINTEXT; }
        public int requestType() { return 0; }
        public int requestVersion() { return 0; }
        public String clientId() { return "oracle"; }
        public int correlationId() { return 0; }
    }

    public static void main(String[] args) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new StringBuilder();
        StandardAuthorizer authorizer = null;
        long acls = 0;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split("\t", -1);
            switch (words[0]) {
                case "new" -> authorizer = started(words[1], words[2]);
                case "acl" -> authorizer.addAcl(new Uuid(1, ++acls), acl(words));
                default -> output.append(decision(authorizer, words)).append('\n');
            }
        }
        System.out.write(output.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }

    private static StandardAuthorizer started(String allowsWithoutAcls, String superUsers) {
        var authorizer = new StandardAuthorizer();
        authorizer.configure(Map.of("node.id", "1", "super.users", superUsers,
            "allow.everyone.if.no.acl.found", allowsWithoutAcls));
        authorizer.withPluginMetrics(new PluginMetricsImpl(new Metrics(), Map.of()));
        authorizer.completeInitialLoad();
        return authorizer;
    }

    private static StandardAcl acl(String[] words) {
        return new StandardAcl(
            ResourceType.fromCode(Byte.parseByte(words[1])), words[2], PatternType.fromCode(Byte.parseByte(words[3])),
            words[4], words[5], AclOperation.fromCode(Byte.parseByte(words[6])),
            AclPermissionType.fromCode(Byte.parseByte(words[7])));
    }

    private static boolean decision(StandardAuthorizer authorizer, String[] words) throws Exception {
        var principal = words[1].split(":", 2);
        var client = new Client(new KafkaPrincipal(principal[0], principal[1]), InetAddress.getByName(words[2]));
        var operation = AclOperation.fromCode(Byte.parseByte(words[3]));
        var kind = ResourceType.fromCode(Byte.parseByte(words[4]));
        if (words[5].isEmpty()) {
            return authorizer.authorizeByResourceType(client, operation, kind) == AuthorizationResult.ALLOWED;
        }
        var resource = new ResourcePattern(kind, words[5], PatternType.LITERAL);
        var actions = List.of(new Action(operation, resource, 1, false, false));
        return authorizer.authorize(client, actions).get(0) == AuthorizationResult.ALLOWED;
    }
}
