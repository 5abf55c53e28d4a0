package aggregator.kit.wallet;

import aggregator.kit.money.Currency;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;

/**
 * The answer to a callback.
 *
 * @param status the HTTP status
 * @param body JSON in UTF-8
 */
public record WalletReply(int status, byte[] body) {
  public static final String CONTENT_TYPE = "application/json";

  static WalletReply done(Currency currency, long balanceMinor) {
    return of(200, Callback.JSON.createObjectNode().put("ok", true).put("balance", currency.toMajor(balanceMinor)));
  }

  /** A status of 500 or above means that the outcome is unknown. Any other status means a rejection. */
  static WalletReply rejected(int status, String error) {
    return of(status, Callback.JSON.createObjectNode().put("ok", false).put("error", error));
  }

  private static WalletReply of(int status, ObjectNode body) {
    return new WalletReply(status, body.toString().getBytes(StandardCharsets.UTF_8));
  }
}
