import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/**
 * Reads messages with Apache Kafka's own classes: each line of the input is a class, a version and the bytes in hex;
 * each line of the output is what the class writes again, in hex, and what it has read, as JSON.
 */
public class Messages {
    private static final HexFormat HEX = HexFormat.of();

    public static void main(String[] args) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new StringBuilder();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            output.append(answer(words[0], Short.parseShort(words[1]), HEX.parseHex(words[2]))).append('\n');
        }
        System.out.write(output.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }

    private static String answer(String name, short version, byte[] bytes) throws ReflectiveOperationException {
        Class<?> kind = Class.forName(name);
        Message message = (Message) kind.getConstructor().newInstance();
        try {
            ByteBuffer data = ByteBuffer.wrap(bytes);
            message.read(new ByteBufferAccessor(data), version);
            if (data.hasRemaining()) {
                return "! " + data.remaining() + " bytes are left over";
            }
            Method toJson = Class.forName(name + "JsonConverter").getMethod("write", kind, short.class, boolean.class);
            boolean withRecords = false; // of which it would tell nothing but an empty text
            return HEX.formatHex(written(message, version)) + " " + toJson.invoke(null, message, version, withRecords);
        } catch (RuntimeException refused) {
            return "! " + refused;
        }
    }

    private static byte[] written(Message message, short version) {
        var cache = new ObjectSerializationCache();
        ByteBuffer data = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(data), cache, version);
        return data.array();
    }
}
