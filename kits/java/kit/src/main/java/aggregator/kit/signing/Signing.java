package aggregator.kit.signing;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs calls and verifies callbacks: HMAC-SHA256 over {@code timestamp.nonce.METHOD.target.body}, in lowercase hex.
 *
 * <p>The target is path and query, exactly as on the request line. The body is the raw bytes, as sent or as received,
 * before any parser. It is empty when the request has no body.
 */
public final class Signing {
  /** The largest difference between a timestamp and the receiver's clock, in both directions. */
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{13}");
  private static final Pattern NONCE = Pattern.compile("[A-Za-z0-9_-]{16,64}");
  private static final Pattern SIGNATURE = Pattern.compile("[0-9a-f]{64}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private Signing() {}

  /** The five headers that sign a new request. They have the present time and a new random nonce. */
  public static SignatureHeaders sign(String merchant, String secret, String method, String target, byte[] body) {
    byte[] nonce = new byte[16];
    RANDOM.nextBytes(nonce);
    return sign(merchant, secret, method, target, body, System.currentTimeMillis(), HexFormat.of().formatHex(nonce));
  }

  /**
   * The headers that sign a request with this timestamp and nonce.
   *
   * @param timestamp milliseconds since 1970
   * @param nonce 16 to 64 of {@code A-Z a-z 0-9 _ -}
   */
  public static SignatureHeaders sign(
      String merchant, String secret, String method, String target, byte[] body, long timestamp, String nonce) {
    String time = Long.toString(timestamp);
    if (!TIMESTAMP.matcher(time).matches())
      throw new IllegalArgumentException("timestamp must be milliseconds since 1970, 13 digits, not " + time);
    if (!NONCE.matcher(nonce).matches())
      throw new IllegalArgumentException("nonce must be 16 to 64 of A-Z a-z 0-9 _ -");
    return new SignatureHeaders(merchant, time, nonce, hex(hmac(secret, time, nonce, method, target, body)), null);
  }

  /** Whether one of the secrets signed this callback, at most 5 minutes before or after now. */
  public static boolean verify(
      Collection<String> secrets, SignatureHeaders headers, String method, String target, byte[] body) {
    return verify(secrets, headers, method, target, body, Instant.now());
  }

  /**
   * Whether one of the secrets signed this callback, at most 5 minutes before or after {@code now}. While a secret is
   * being changed, the callback has two signatures and the wallet may have two secrets. One match is enough.
   */
  public static boolean verify(
      Collection<String> secrets, SignatureHeaders headers, String method, String target, byte[] body, Instant now) {
    String time = headers.timestamp();
    String nonce = headers.nonce();
    if (time == null || !TIMESTAMP.matcher(time).matches()) return false;
    if (Math.abs(now.toEpochMilli() - Long.parseLong(time)) > TOLERANCE.toMillis()) return false;
    // A dot separates the parts of the signed text, so a nonce with a dot would make the parts ambiguous.
    if (nonce == null || !NONCE.matcher(nonce).matches()) return false;
    var given =
        Stream.of(headers.signature(), headers.signatureNext())
            .filter(text -> text != null && SIGNATURE.matcher(text).matches())
            .map(HexFormat.of()::parseHex)
            .toList();
    boolean genuine = false;
    for (String secret : secrets) {
      // Anybody can sign with an empty secret. A secret that is not configured must therefore match nothing.
      if (secret.isEmpty()) continue;
      byte[] expected = hmac(secret, time, nonce, method, target, body);
      // The duration of isEqual does not depend on which bytes differ.
      for (byte[] signature : given) genuine |= MessageDigest.isEqual(expected, signature);
    }
    return genuine;
  }

  private static byte[] hmac(
      String secret, String timestamp, String nonce, String method, String target, byte[] body) {
    if (secret.isEmpty()) throw new IllegalArgumentException("secret is empty: give the merchant's secret");
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      String head = String.join(".", timestamp, nonce, method, target, "");
      mac.update(head.getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(body);
    } catch (NoSuchAlgorithmException | InvalidKeyException cause) {
      throw new IllegalStateException("every Java platform has HmacSHA256", cause);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
