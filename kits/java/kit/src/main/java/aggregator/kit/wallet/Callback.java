package aggregator.kit.wallet;

import aggregator.kit.money.Currency;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The body of a callback. Unknown fields are ignored. */
sealed interface Callback {
  String playerId();

  /** Asks for a player's balance. */
  record BalanceQuery(String playerId) implements Callback {}

  /**
   * A transaction that moves money.
   *
   * @param amountMinor above 0, in minor units
   * @param refTxId the transaction that a refund or rollback reverses; null for a bet or win
   */
  record Move(Action action, String playerId, String txId, long amountMinor, String refTxId) implements Callback {}

  /** The wallet cannot read the body as a callback. The message names the field and the fault. */
  final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final String code;

    Refused(String code, String message) {
      super(message);
      this.code = code;
    }

    /** The code in the reply to the caller. */
    String code() {
      return code;
    }

    static Refused malformed(String message) {
      return new Refused("INVALID_REQUEST", message);
    }
  }

  ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** @param currency the merchant's */
  static Callback read(byte[] body, Currency currency) throws Refused {
    JsonNode fields = parse(body);
    String playerId = text(fields, "player_id");
    text(fields, "provider");
    text(fields, "game");
    String sent = text(fields, "currency");
    if (!sent.equals(currency.name()))
      throw new Refused("CURRENCY_MISMATCH", "currency must be the merchant's, " + currency + ", not " + sent);
    String name = text(fields, "action");
    if (name.equals("balance")) return new BalanceQuery(playerId);
    Action action = action(name);
    text(fields, "round_id");
    String refTxId = action.reversed() == null ? null : text(fields, "ref_tx_id");
    return new Move(action, playerId, text(fields, "tx_id"), amount(fields, currency), refTxId);
  }

  private static JsonNode parse(byte[] body) throws Refused {
    try {
      // A new decoder refuses invalid UTF-8. A String's constructor would replace the invalid bytes.
      JsonNode fields = JSON.readTree(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
      if (fields.isObject()) return fields;
      throw Refused.malformed("the body must be a JSON object");
    } catch (CharacterCodingException | JsonProcessingException cause) {
      throw Refused.malformed("the body must be JSON in UTF-8");
    }
  }

  private static String text(JsonNode fields, String name) throws Refused {
    JsonNode value = fields.path(name);
    if (!value.isTextual() || value.textValue().isEmpty()) throw Refused.malformed(name + " must be a text");
    // Half of a surrogate pair has no bytes, so two such ids could not be distinguished.
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(value.textValue()))
      throw Refused.malformed(name + " must be well-formed Unicode");
    return value.textValue();
  }

  private static Action action(String name) throws Refused {
    for (Action action : Action.values()) if (name.equals(action.name().toLowerCase(Locale.ROOT))) return action;
    throw Refused.malformed("action must be balance, bet, win, refund or rollback, not " + name);
  }

  private static long amount(JsonNode fields, Currency currency) throws Refused {
    JsonNode value = fields.path("amount");
    if (!value.isNumber()) throw Refused.malformed("amount must be a number");
    try {
      long minor = currency.toMinor(value.decimalValue());
      if (minor > 0) return minor;
      throw Refused.malformed("amount must be above 0");
    } catch (ArithmeticException cause) {
      throw Refused.malformed("amount must fit " + currency + " with " + currency.decimals() + " decimals");
    }
  }
}
