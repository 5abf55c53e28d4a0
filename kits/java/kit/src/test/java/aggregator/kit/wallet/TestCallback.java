package aggregator.kit.wallet;

import aggregator.kit.signing.Signing;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** A callback in the service's form, and the reading of its reply. */
final class TestCallback {
  static final ObjectMapper JSON = new ObjectMapper();
  static final String TARGET = "/wallet";

  final ObjectNode fields = JSON.createObjectNode();
  private final String merchant;

  private TestCallback(String merchant, String action, String player) {
    this.merchant = merchant;
    fields.put("action", action).put("player_id", player).put("currency", "BRL");
    fields.put("provider", "ACME").put("game", "fruits");
  }

  static TestCallback balance(String merchant, String player) {
    return new TestCallback(merchant, "balance", player);
  }

  static TestCallback move(String merchant, String action, String player, String txId, String amount) {
    TestCallback callback = new TestCallback(merchant, action, player);
    callback.fields.put("tx_id", txId).put("round_id", "r-1").put("amount", new BigDecimal(amount));
    return callback;
  }

  TestCallback of(String refTxId) {
    fields.put("ref_tx_id", refTxId);
    return this;
  }

  TestCallback with(String name, String json) {
    try {
      fields.set(name, JSON.readTree(json));
    } catch (IOException cause) {
      throw new UncheckedIOException(cause);
    }
    return this;
  }

  TestCallback without(String name) {
    fields.remove(name);
    return this;
  }

  byte[] body() {
    return fields.toString().getBytes(StandardCharsets.UTF_8);
  }

  WalletRequest signed() {
    return signed("sk_" + merchant);
  }

  WalletRequest signed(String secret) {
    return signed(merchant, secret, "POST", body());
  }

  static WalletRequest signed(String merchant, String secret, String method, byte[] body) {
    return new WalletRequest(method, TARGET, Signing.sign(merchant, secret, method, TARGET, body), body);
  }

  /** Status and body of a reply, as one text. */
  static String text(WalletReply reply) {
    return reply.status() + " " + new String(reply.body(), StandardCharsets.UTF_8);
  }

  static JsonNode json(WalletReply reply) {
    try {
      return JSON.readTree(reply.body());
    } catch (IOException cause) {
      throw new UncheckedIOException(cause);
    }
  }
}
