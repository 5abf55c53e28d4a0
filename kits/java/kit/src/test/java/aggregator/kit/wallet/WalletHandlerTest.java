package aggregator.kit.wallet;

import static aggregator.kit.wallet.TestCallback.balance;
import static aggregator.kit.wallet.TestCallback.move;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aggregator.kit.money.Currency;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The wallet's handler")
class WalletHandlerTest {
  private static final String WRONG = "401 {\"ok\":false,\"error\":\"INVALID_SIGNATURE\"}";
  private static final String MALFORMED = "400 {\"ok\":false,\"error\":\"INVALID_REQUEST\"}";

  private final Logger logger = Logger.getLogger(WalletHandler.class.getName());
  private final List<LogRecord> log = new ArrayList<>();
  private final Handler recorder = new Recorder();
  private final MemoryStorage storage = new MemoryStorage();
  private final Merchants merchants =
      Merchants.of(
          List.of(
              new MerchantAccount("shop", List.of("sk_shop"), Currency.BRL),
              new MerchantAccount("chile", List.of("sk_chile"), Currency.CLP),
              new MerchantAccount("turning", List.of("sk_old", "sk_new"), Currency.BRL)));
  private final WalletHandler wallet = new WalletHandler(merchants, storage);

  private final class Recorder extends Handler {
    @Override
    public void publish(LogRecord record) {
      log.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void begin() {
    logger.addHandler(recorder);
    logger.setUseParentHandlers(false);
    storage.createPlayer("shop", "ana", 10_000, false);
    storage.createPlayer("chile", "ana", 10_000, false);
    storage.createPlayer("turning", "ana", 10_000, false);
  }

  @AfterEach
  void end() {
    logger.removeHandler(recorder);
  }

  @Test
  @DisplayName("what is not genuine is refused before anything is stored")
  void signature() {
    var win = move("shop", "win", "ana", "w1", "1");
    assertEquals(WRONG, send(win.signed("sk_other")));
    assertEquals(WRONG, send(TestCallback.signed("nobody", "sk_shop", "POST", win.body())));
    assertEquals(WRONG, send(TestCallback.signed("chile", "sk_shop", "POST", win.body())));
    WalletRequest right = win.signed();
    assertEquals(WRONG, send(new WalletRequest("POST", "/wallet?", right.headers(), right.body())));
    byte[] changed = right.body().clone();
    changed[changed.length - 2] += 1;
    assertEquals(WRONG, send(new WalletRequest("POST", "/wallet", right.headers(), changed)));
    assertEquals(10_000, storage.balance("shop", "ana").orElseThrow());
    assertEquals("200 {\"ok\":true,\"balance\":101}", send(right));
  }

  @Test
  @DisplayName("a callback that is more than 5 minutes old by the wallet's clock is refused")
  void old() {
    WalletHandler late = wallet.withClock(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(6)));
    assertEquals(WRONG, TestCallback.text(late.handle(balance("shop", "ana").signed())));
    assertEquals(200, wallet.handle(balance("shop", "ana").signed()).status());
  }

  @Test
  @DisplayName("while a secret is being changed both fit; and a wrong signature is 503 where the account says so")
  void rotation() {
    assertEquals(200, wallet.handle(balance("turning", "ana").signed("sk_old")).status());
    assertEquals(200, wallet.handle(balance("turning", "ana").signed("sk_new")).status());
    assertEquals(WRONG, send(balance("turning", "ana").signed("sk_before")));
    var changing = Merchants.of(List.of(new MerchantAccount("shop", List.of("sk_shop"), Currency.BRL, true)));
    WalletHandler atOnce = new WalletHandler(changing, storage);
    WalletReply reply = atOnce.handle(balance("shop", "ana").signed("sk_next"));
    assertEquals("503 {\"ok\":false,\"error\":\"INVALID_SIGNATURE\"}", TestCallback.text(reply));
    assertEquals(200, atOnce.handle(balance("shop", "ana").signed()).status());
    assertEquals(WRONG, TestCallback.text(atOnce.handle(balance("turning", "ana").signed("sk_old"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "action | \"deposit\"", "action | \"BET\"", "action | 1", "player_id | 7", "player_id | \"\"", "tx_id | null",
        "tx_id | 12", "tx_id | \"a\\u0000b\"", "currency | \"\"", "amount | \"2.5\"", "amount | 0", "amount | -1",
        "amount | 0.001", "amount | 1e999999999", "amount | null"
      })
  @DisplayName("a field of a wrong form is rejected, named in the log, and moves nothing")
  void malformed(String field, String json) {
    var bet = move("shop", "bet", "ana", "b1", "2.5").with(field, json);
    assertEquals(MALFORMED, send(bet.signed()));
    assertEquals(10_000, storage.balance("shop", "ana").orElseThrow());
    String logged = String.valueOf(log.get(0).getParameters()[1]);
    assertTrue(logged.startsWith(field), logged);
    assertEquals(200, wallet.handle(move("shop", "bet", "ana", "b1", "2.5").signed()).status());
  }

  @Test
  @DisplayName("each field that a transaction needs is asked for, and a reversal needs its reference")
  void missing() {
    for (String field : List.of("action", "player_id", "currency", "tx_id", "amount"))
      assertEquals(MALFORMED, send(move("shop", "bet", "ana", "b1", "1").without(field).signed()), field);
    assertEquals(MALFORMED, send(move("shop", "refund", "ana", "f1", "1").signed()));
  }

  @Test
  @DisplayName("a body that is no JSON object in UTF-8 is rejected")
  void noJson() {
    String bet = new String(move("shop", "bet", "ana", "b1", "1").body(), StandardCharsets.UTF_8);
    byte[] latin1 = bet.replace("b1", "b\u00ff").getBytes(StandardCharsets.ISO_8859_1);
    for (byte[] body :
        List.of(
            new byte[0], bytes("["), bytes("[]"), bytes("{} {}"), bytes("null"), bytes("\ufeff" + bet), latin1,
            bytes(bet.replace("b1", "b\\ud800")), bytes(bet.replace("b1", "b\\ud801")),
            bytes(bet.replace("b1", "b\\udc00")), bytes(bet.replace("b1", "x".repeat(129))),
            bytes(bet.replace("\"ana\"", "\"" + "é".repeat(257) + "\""))))
      assertEquals(MALFORMED, send(TestCallback.signed("shop", "sk_shop", "POST", body)));
    assertEquals(10_000, storage.balance("shop", "ana").orElseThrow());
    for (String id : List.of("\ufffd", "\\ud83c\\udfb0"))
      assertEquals(200, wallet.handle(TestCallback.signed("shop", "sk_shop", "POST", bytes(bet.replace("b1", id)))).status());
    byte[] large = bytes("{\"x\":\"" + "a".repeat(WalletHandler.BODY_BYTES_MAX) + "\"}");
    assertEquals(
        "413 {\"ok\":false,\"error\":\"PAYLOAD_TOO_LARGE\"}",
        send(TestCallback.signed("shop", "sk_shop", "POST", large)));
    assertEquals(
        "405 {\"ok\":false,\"error\":\"METHOD_NOT_ALLOWED\"}",
        send(TestCallback.signed("shop", "sk_shop", "PUT", bytes(bet))));
  }

  @Test
  @DisplayName("another currency is rejected whatever its decimals: a bet or rollback for good, a win until it is right")
  void currency() {
    String mismatch = "200 {\"ok\":false,\"error\":\"CURRENCY_MISMATCH\"}";
    assertEquals(mismatch, send(balance("chile", "ana").signed()));
    assertEquals(mismatch, send(move("chile", "bet", "ana", "b1", "2.5").signed()));
    assertEquals(mismatch, send(move("chile", "bet", "ana", "b1", "1500").with("currency", "\"CLP\"").signed()));
    var win = move("chile", "win", "ana", "w1", "1500");
    assertEquals(mismatch, send(win.with("currency", "\"EUR\"").signed()));
    assertEquals("200 {\"ok\":true,\"balance\":11500}", send(win.with("currency", "\"CLP\"").signed()));
    assertEquals("200 {\"ok\":true,\"balance\":11500}", send(win.with("currency", "\"BRL\"").signed()));
    var rollback = move("chile", "rollback", "ana", "k1", "1500").of("w1");
    assertEquals(mismatch, send(rollback.signed()));
    assertEquals(mismatch, send(rollback.with("currency", "\"CLP\"").signed()));
  }

  @Test
  @DisplayName("fields that are not known are ignored")
  void unknownFields() {
    var pesos = move("chile", "bet", "ana", "b1", "1500").with("currency", "\"CLP\"");
    assertEquals("200 {\"ok\":true,\"balance\":8500}", send(pesos.signed()));
    var extra = move("shop", "bet", "ana", "b1", "1").with("session", "{\"amount\":9}").with("v2", "[null]");
    assertEquals("200 {\"ok\":true,\"balance\":99}", send(extra.signed()));
  }

  @Test
  @DisplayName("a fault of the storage is 500 without its text, and the log has it")
  void fault() {
    Storage broken =
        new Storage() {
          @Override
          public OptionalLong balance(String merchant, String playerId) {
            throw new IllegalStateException("secret of the database");
          }

          @Override
          public <T> T inTransaction(String merchant, String playerId, Function<Transaction, T> work) {
            throw new IllegalStateException("secret of the database");
          }
        };
    WalletHandler failing = new WalletHandler(merchants, broken);
    for (var callback : List.of(balance("shop", "ana"), move("shop", "bet", "ana", "b1", "1"))) {
      WalletReply reply = failing.handle(callback.signed());
      assertEquals(500, reply.status());
      assertFalse(TestCallback.text(reply).contains("database"));
    }
    assertEquals(2, log.size());
    assertEquals("secret of the database", log.get(0).getThrown().getMessage());
  }

  @Test
  @DisplayName("a merchant without a secret is refused at start")
  void noSecret() {
    assertThrows(IllegalArgumentException.class, () -> new MerchantAccount("shop", List.of(), Currency.BRL));
    assertThrows(IllegalArgumentException.class, () -> new MerchantAccount("shop", List.of("sk", ""), Currency.BRL));
  }

  @Test
  @DisplayName("a merchant that is there twice is refused at start, and no secret is told")
  void twice() {
    var shop = new MerchantAccount("shop", List.of("sk_1"), Currency.BRL);
    Exception refused = assertThrows(IllegalArgumentException.class, () -> Merchants.of(List.of(shop, shop)));
    assertTrue(refused.getMessage().startsWith("merchant shop is in the list twice"), refused.getMessage());
    assertFalse(refused.getMessage().contains("sk_"), refused.getMessage());
  }

  private String send(WalletRequest request) {
    return TestCallback.text(wallet.handle(request));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
