package aggregator.kit.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The parameters of a call. Each method sets one parameter and returns this object. */
abstract class Query<Q extends Query<Q>> {
  private final Map<String, String> parameters = new LinkedHashMap<>();

  abstract Q self();

  Q with(String name, Object value) {
    parameters.put(name, value.toString());
    return self();
  }

  /** A copy of the parameters. */
  Map<String, String> parameters() {
    return new LinkedHashMap<>(parameters);
  }

  /** Path and query. They are signed and sent in this form. */
  static String target(String path, Map<String, String> parameters) {
    if (parameters.isEmpty()) return path;
    return path
        + parameters.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + encode(entry.getValue()))
            .collect(Collectors.joining("&", "?", ""));
  }

  /**
   * Escapes an id for use as one segment of a path. URLs give "." and ".." another meaning, so a server would read
   * another path than the signed one.
   */
  static String segment(String text) {
    if (text.isEmpty() || text.equals(".") || text.equals(".."))
      throw new IllegalArgumentException(
          "the id \"" + text + "\" cannot stand in a path. No call was made");
    return encode(text).replace("+", "%20");
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
