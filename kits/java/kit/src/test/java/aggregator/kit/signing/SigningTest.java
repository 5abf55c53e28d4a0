package aggregator.kit.signing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aggregator.kit.Project;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("Signing")
class SigningTest {
  private static final Instant NOW = Instant.ofEpochMilli(1_767_225_600_000L);
  private static final String NONCE = "00112233445566778899aabbccddeeff";
  private static final byte[] BODY = "{\"action\":\"balance\"}".getBytes(StandardCharsets.UTF_8);

  @TestFactory
  @DisplayName("each vector of the project is verified as it says, and the right ones are what sign makes")
  List<DynamicTest> vectors() throws IOException {
    JsonNode file = new ObjectMapper().readTree(Project.read("test/domain/signing/vectors.json"));
    String secret = file.get("secret").asText();
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode vector : file.get("cases"))
      tests.add(DynamicTest.dynamicTest(vector.get("name").asText(), () -> check(secret, vector)));
    assertTrue(tests.size() >= 30, "the file has its vectors");
    return tests;
  }

  private static void check(String secret, JsonNode vector) {
    String timestamp = vector.get("timestamp").asText();
    String nonce = vector.get("nonce").asText();
    String signature = vector.get("signature").asText();
    String method = vector.get("method").asText();
    String target = vector.get("target").asText();
    byte[] body = vector.get("body").asText().getBytes(StandardCharsets.UTF_8);
    boolean valid = vector.get("valid").asBoolean();
    var headers = new SignatureHeaders("m", timestamp, nonce, signature, null);
    Instant sentAt = Instant.ofEpochMilli(Long.parseLong(timestamp));
    assertEquals(valid, Signing.verify(List.of(secret), headers, method, target, body, sentAt));
    if (!valid) return;
    assertEquals(headers, Signing.sign("m", secret, method, target, body, Long.parseLong(timestamp), nonce));
    assertFalse(Signing.verify(List.of("another secret"), headers, method, target, body, sentAt));
  }

  @Test
  @DisplayName("a timestamp may be 5 minutes off in either direction, and no millisecond more")
  void window() {
    SignatureHeaders headers = sign("sk");
    for (long off : new long[] {-300_000, 0, 300_000}) assertTrue(verify(headers, NOW.plusMillis(off), "sk"), "" + off);
    for (long off : new long[] {-300_001, 300_001}) assertFalse(verify(headers, NOW.plusMillis(off), "sk"), "" + off);
  }

  @Test
  @DisplayName("while a secret is being changed, either signature fits either secret")
  void rotation() {
    SignatureHeaders old = sign("old");
    SignatureHeaders both =
        new SignatureHeaders("m", old.timestamp(), old.nonce(), old.signature(), sign("new").signature());
    assertTrue(verify(both, NOW, "old"));
    assertTrue(verify(both, NOW, "new"));
    assertTrue(verify(both, NOW, "other", "new"));
    assertTrue(verify(old, NOW, "new", "old"));
    assertFalse(verify(both, NOW, "other"));
    assertFalse(verify(old, NOW, "new"));
    assertFalse(verify(both, NOW));
  }

  @Test
  @DisplayName("an empty secret proves nothing")
  void emptySecret() {
    assertFalse(verify(sign("sk"), NOW, ""));
    assertFalse(verify(sign("sk"), NOW, "other", ""));
    assertTrue(verify(sign("sk"), NOW, "", "sk"));
  }

  @Test
  @DisplayName("a header that is missing, empty or repeated makes the callback false")
  void headers() {
    Map<String, List<String>> right =
        Map.of(
            "x-merchant-id", List.of("m"),
            "X-TIMESTAMP", List.of(sign("sk").timestamp()),
            "X-Nonce", List.of(NONCE),
            "x-signature", List.of(sign("sk").signature()));
    SignatureHeaders read = SignatureHeaders.read(right);
    assertEquals(sign("sk"), read);
    assertTrue(verify(read, NOW, "sk"));
    for (String name : List.of("X-TIMESTAMP", "X-Nonce", "x-signature")) {
      String value = right.get(name).get(0);
      for (List<String> wrong : List.of(List.<String>of(), List.of(""), List.of(value, value))) {
        var headers = new HashMap<>(right);
        headers.put(name, wrong);
        assertFalse(verify(SignatureHeaders.read(headers), NOW, "sk"), name + " " + wrong);
      }
    }
    assertNull(SignatureHeaders.read(Map.of()).merchant());
  }

  @Test
  @DisplayName("a new request has the time now and a nonce that was not used before")
  void fresh() {
    SignatureHeaders first = Signing.sign("m", "sk", "GET", "/v1/merchant", new byte[0]);
    SignatureHeaders second = Signing.sign("m", "sk", "GET", "/v1/merchant", new byte[0]);
    assertFalse(first.nonce().equals(second.nonce()));
    assertTrue(Signing.verify(List.of("sk"), first, "GET", "/v1/merchant", new byte[0]));
    assertEquals(
        List.of("X-Merchant-Id", "X-Timestamp", "X-Nonce", "X-Signature"), List.copyOf(first.toMap().keySet()));
  }

  @Test
  @DisplayName("a timestamp in seconds, a nonce with a dot and an empty secret are named")
  void faults() {
    assertThrows(
        IllegalArgumentException.class, () -> Signing.sign("m", "sk", "GET", "/", BODY, 1_767_225_600L, NONCE));
    assertThrows(
        IllegalArgumentException.class,
        () -> Signing.sign("m", "sk", "GET", "/", BODY, NOW.toEpochMilli(), "0011223344556677.POST"));
    Exception empty =
        assertThrows(IllegalArgumentException.class, () -> Signing.sign("m", "", "GET", "/v1/merchant", BODY));
    assertTrue(empty.getMessage().startsWith("secret"), empty.getMessage());
  }

  private static SignatureHeaders sign(String secret) {
    return Signing.sign("m", secret, "POST", "/wallet", BODY, NOW.toEpochMilli(), NONCE);
  }

  private static boolean verify(SignatureHeaders headers, Instant now, String... secrets) {
    return Signing.verify(List.of(secrets), headers, "POST", "/wallet", BODY, now);
  }
}
