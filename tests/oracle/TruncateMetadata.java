import java.io.File;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.raft.internals.KafkaRaftLog;
import org.apache.kafka.server.util.KafkaScheduler;

/**
 * Truncates the metadata log of a stopped broker up to its last snapshot, with the code that a running broker calls once
 * a minute. Argument: directory of the log. Prints the first offset that is left.
 */
public class TruncateMetadata {
    public static void main(String[] args) throws Exception {
        var settings = Map.of(
            MetadataLogConfig.METADATA_MAX_RETENTION_BYTES_CONFIG, "1",
            MetadataLogConfig.INTERNAL_METADATA_DELETE_DELAY_MILLIS_CONFIG, "0");
        var config = new MetadataLogConfig(new AbstractConfig(MetadataLogConfig.CONFIG_DEF, settings, false));
        var scheduler = new KafkaScheduler(1);
        scheduler.startup();
        var log = KafkaRaftLog.createLog(Topic.CLUSTER_METADATA_TOPIC_PARTITION, Uuid.METADATA_TOPIC_ID,
            new File(args[0]), Time.SYSTEM, scheduler, config, 1);
        log.updateHighWatermark(log.endOffset());
        log.maybeClean();
        System.out.println(log.startOffset());
        log.close();
        scheduler.shutdown();
    }
}
