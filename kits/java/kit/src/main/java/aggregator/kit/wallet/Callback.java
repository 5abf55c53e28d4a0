package aggregator.kit.wallet;

import aggregator.kit.money.Currency;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The body of a callback. Unknown fields are ignored. */
sealed interface Callback {
  int PLAYER_ID_BYTES_MAX = 512;
  int TX_ID_BYTES_MAX = 128;

  /** The service has no amount of so much. */
  BigDecimal AMOUNT_LIMIT = BigDecimal.valueOf(10_000_000_000L);

  String playerId();

  String currency();

  /** A query of a player's balance. */
  record BalanceQuery(String playerId, String currency) implements Callback {}

  /**
   * A transaction that moves money.
   *
   * @param amountMinor above 0, in minor units; 0 when the currency is not the merchant's, because such a callback
   *     moves no money
   * @param refTxId the transaction that a refund or rollback reverses; null for a bet or win
   */
  record Move(Action action, String playerId, String currency, String txId, long amountMinor, String refTxId)
      implements Callback {}

  /** The wallet cannot read the body as a callback. The message names the field and the fault. */
  final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message);
    }
  }

  ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** @param merchantCurrency the currency in which amounts are read */
  static Callback read(byte[] body, Currency merchantCurrency) throws Malformed {
    JsonNode fields = parse(body);
    String playerId = id(fields, "player_id", PLAYER_ID_BYTES_MAX);
    String currency = text(fields, "currency");
    String name = text(fields, "action");
    if (name.equals("balance")) return new BalanceQuery(playerId, currency);
    Action action = action(name);
    String refTxId = action.reversed() == null ? null : id(fields, "ref_tx_id", TX_ID_BYTES_MAX);
    long amountMinor = currency.equals(merchantCurrency.name()) ? amount(fields, merchantCurrency) : 0;
    return new Move(action, playerId, currency, id(fields, "tx_id", TX_ID_BYTES_MAX), amountMinor, refTxId);
  }

  private static JsonNode parse(byte[] body) throws Malformed {
    try {
      // A new decoder refuses invalid UTF-8. A String's constructor would replace the invalid bytes.
      JsonNode fields = JSON.readTree(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
      if (fields.isObject()) return fields;
      throw new Malformed("the body must be a JSON object");
    } catch (CharacterCodingException | JsonProcessingException | NumberFormatException cause) {
      // NumberFormatException: Jackson cannot read an exponent of many digits.
      throw new Malformed("the body must be JSON in UTF-8");
    }
  }

  private static String text(JsonNode fields, String name) throws Malformed {
    JsonNode value = fields.path(name);
    if (!value.isTextual() || value.textValue().isEmpty()) throw new Malformed(name + " must be a text");
    return value.textValue();
  }

  private static String id(JsonNode fields, String name, int bytesMax) throws Malformed {
    String id = text(fields, name);
    try {
      // Half of a surrogate pair has no bytes, so two such ids could not be distinguished.
      int bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(id)).remaining();
      // Some databases cannot store U+0000.
      if (bytes <= bytesMax && id.indexOf('\0') < 0) return id;
    } catch (CharacterCodingException cause) {
      throw new Malformed(name + " must be well-formed Unicode");
    }
    throw new Malformed(name + " must have at most " + bytesMax + " bytes and no U+0000");
  }

  private static Action action(String name) throws Malformed {
    for (Action action : Action.values()) if (name.equals(action.name().toLowerCase(Locale.ROOT))) return action;
    throw new Malformed("action must be balance, bet, win, refund or rollback, not " + name);
  }

  private static long amount(JsonNode fields, Currency currency) throws Malformed {
    JsonNode value = fields.path("amount");
    if (!value.isNumber()) throw new Malformed("amount must be a number");
    try {
      long minor = currency.toMinor(value.decimalValue());
      if (minor > 0 && minor < currency.toMinor(AMOUNT_LIMIT)) return minor;
      throw new Malformed("amount must be above 0 and below " + AMOUNT_LIMIT);
    } catch (ArithmeticException cause) {
      throw new Malformed("amount must fit " + currency + " with " + currency.decimals() + " decimals");
    }
  }
}
