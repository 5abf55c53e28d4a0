package aggregator.kit.signing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The headers that prove who sent a request. A field is null when its header is absent, empty or repeated.
 *
 * @param merchant X-Merchant-Id: the merchant's code
 * @param timestamp X-Timestamp: milliseconds since 1970, 13 digits
 * @param nonce X-Nonce: 16 to 64 of {@code A-Z a-z 0-9 _ -}
 * @param signature X-Signature: 64 lowercase hex digits
 * @param signatureNext X-Signature-Next: the signature by the new secret, only while a secret is being changed
 */
public record SignatureHeaders(
    String merchant, String timestamp, String nonce, String signature, String signatureNext) {

  /**
   * Reads the headers of a request. {@code values} returns all values of a header; an empty list or null if it is
   * absent.
   */
  public static SignatureHeaders read(Function<String, List<String>> values) {
    return new SignatureHeaders(
        only(values.apply("X-Merchant-Id")),
        only(values.apply("X-Timestamp")),
        only(values.apply("X-Nonce")),
        only(values.apply("X-Signature")),
        only(values.apply("X-Signature-Next")));
  }

  /** Reads the headers of a request from a map. The map's keys may be in any case. */
  public static SignatureHeaders read(Map<String, List<String>> headers) {
    Map<String, List<String>> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(headers);
    return read(anyCase::get);
  }

  /** The headers to send. The map's keys are header names. */
  public Map<String, String> toMap() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("X-Merchant-Id", merchant);
    map.put("X-Timestamp", timestamp);
    map.put("X-Nonce", nonce);
    map.put("X-Signature", signature);
    if (signatureNext != null) map.put("X-Signature-Next", signatureNext);
    return map;
  }

  private static String only(List<String> values) {
    return values == null || values.size() != 1 || values.get(0).isEmpty() ? null : values.get(0);
  }
}
