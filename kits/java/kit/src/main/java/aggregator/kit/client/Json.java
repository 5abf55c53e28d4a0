package aggregator.kit.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;

/** Reads the API's JSON: snake_case, exact decimals, times as Instant. It ignores unknown fields. */
final class Json {
  static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .addModule(new SimpleModule().addDeserializer(Instant.class, new InstantReader()))
          .build();

  private Json() {}

  static <T> T read(JsonNode json, Class<T> type) {
    try {
      return MAPPER.treeToValue(json, type);
    } catch (JsonProcessingException cause) {
      throw new UnreadableReplyException(type, cause);
    }
  }

  static <T> List<T> list(JsonNode items, Class<T> type) {
    return StreamSupport.stream(items.spliterator(), false).map(item -> read(item, type)).toList();
  }

  private static final class InstantReader extends FromStringDeserializer<Instant> {
    private static final long serialVersionUID = 1L;

    InstantReader() {
      super(Instant.class);
    }

    @Override
    protected Instant _deserialize(String text, DeserializationContext context) {
      return Instant.parse(text);
    }
  }
}
