package aggregator.kit.wallet;

import static aggregator.kit.wallet.TestCallback.balance;
import static aggregator.kit.wallet.TestCallback.move;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aggregator.kit.money.Currency;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The tests that every storage must pass: the rules of a wallet, with the handler and the storage together. */
abstract class StorageContract {
  private static final String DONE = "200 {\"ok\":true,\"balance\":%s}";
  private static final String NO = "200 {\"ok\":false,\"error\":\"%s\"}";

  /** Each test has its own ids, because the database may have the ids of earlier tests. */
  private final String shop = "shop-" + UUID.randomUUID().toString().substring(0, 8);

  private final String other = "other-" + UUID.randomUUID().toString().substring(0, 8);
  private Storage storage;
  private WalletHandler wallet;

  abstract Storage storage();

  abstract void createPlayer(String merchant, String playerId, long balanceMinor, boolean blocked);

  @BeforeEach
  void begin() {
    storage = storage();
    wallet =
        new WalletHandler(
            Merchants.of(
                List.of(
                    new MerchantAccount(shop, List.of("sk_" + shop), Currency.BRL),
                    new MerchantAccount(other, List.of("sk_" + other), Currency.BRL))),
            storage);
    createPlayer(shop, "ana", 10_000, false);
    createPlayer(shop, "rui", 10_000, false);
    createPlayer(shop, "bob", 10_000, true);
    createPlayer(other, "ana", 500, false);
  }

  @Test
  @DisplayName("each action moves what it says, and its repeat gets the stored reply")
  void actions() {
    assertEquals(DONE.formatted("97.5"), send(move(shop, "bet", "ana", "b1", "2.5")));
    assertEquals(DONE.formatted("107.5"), send(move(shop, "win", "ana", "w1", "10")));
    assertEquals(DONE.formatted("110"), send(move(shop, "refund", "ana", "f1", "2.5").of("b1")));
    assertEquals(DONE.formatted("100"), send(move(shop, "rollback", "ana", "k1", "10").of("w1")));
    assertEquals(DONE.formatted("97.5"), send(move(shop, "bet", "ana", "b1", "2.5")));
    assertEquals(DONE.formatted("110"), send(move(shop, "refund", "ana", "f1", "2.5").of("b1")));
    assertBalance("100", shop, "ana");
    assertBalance("100", shop, "rui");
    assertBalance("5", other, "ana");
  }

  @Test
  @DisplayName("50 copies of a bet at once take it once, and all get the same reply")
  void copies() throws Exception {
    var replies = atOnce(50, i -> move(shop, "bet", "ana", "b1", "2.5"));
    assertEquals(Map.of(DONE.formatted("97.5"), 50L), replies);
    assertBalance("97.5", shop, "ana");
  }

  @Test
  @DisplayName("of 50 bets at once against funds for 30, 30 are taken")
  void funds() throws Exception {
    createPlayer(shop, "eva", 3_000, false);
    var replies = atOnce(50, i -> move(shop, "bet", "eva", "b" + i, "1"));
    assertEquals(20, replies.get(NO.formatted("INSUFFICIENT_FUNDS")));
    // The 30 accepted bets have 30 different balances. All rejections are equal.
    assertEquals(31, replies.size());
    assertBalance("0", shop, "eva");
  }

  @Test
  @DisplayName("ten refunds of a bet at once under ten ids give it back once")
  void refundsAtOnce() throws Exception {
    send(move(shop, "bet", "ana", "b1", "2.5"));
    var replies = atOnce(10, i -> move(shop, "refund", "ana", "f" + i, "2.5").of("b1"));
    assertEquals(Map.of(DONE.formatted("100"), 1L, NO.formatted("ALREADY_REVERSED"), 9L), replies);
  }

  @Test
  @DisplayName("a bet and its refund at once end with both or with neither")
  void race() throws Exception {
    for (int i = 0; i < 20; i += 1) {
      String bet = "b" + i;
      String refund = "f" + i;
      var replies =
          atOnce(
              6,
              copy ->
                  copy % 2 == 0
                      ? move(shop, "bet", "ana", bet, "2.5")
                      : move(shop, "refund", "ana", refund, "2.5").of(bet));
      assertTrue(replies.size() <= 3, replies.toString());
      assertEquals(isApplied(bet), isApplied(refund), replies.toString());
      assertEquals(10_000, storage.balance(shop, "ana").orElseThrow());
    }
  }

  private boolean isApplied(String txId) {
    return storage.inTransaction(shop, "ana", stored -> stored.applied(txId).isPresent());
  }

  @Test
  @DisplayName("one tx_id for two players at once is applied for one of them")
  void oneIdTwoPlayers() throws Exception {
    for (int i = 0; i < 10; i += 1) {
      String id = "w" + i;
      var replies = atOnce(8, copy -> move(shop, "win", copy % 2 == 0 ? "ana" : "rui", id, "1"));
      assertEquals(1, replies.size(), replies.toString());
    }
    long sum = storage.balance(shop, "ana").orElseThrow() + storage.balance(shop, "rui").orElseThrow();
    assertEquals(20_000 + 10 * 100, sum);
  }

  @Test
  @DisplayName("the rejection of a bet or rollback is kept, that of a win or refund is judged anew")
  void rejections() {
    var bet = move(shop, "bet", "ana", "b1", "100.01");
    assertEquals(NO.formatted("INSUFFICIENT_FUNDS"), send(bet));
    assertEquals(DONE.formatted("300"), send(move(shop, "win", "ana", "w1", "200")));
    assertEquals(NO.formatted("INSUFFICIENT_FUNDS"), send(bet));
    assertEquals(NO.formatted("AMOUNT_MISMATCH"), send(move(shop, "rollback", "ana", "k1", "199").of("w1")));
    assertEquals(NO.formatted("AMOUNT_MISMATCH"), send(move(shop, "rollback", "ana", "k1", "200").of("w1")));

    assertEquals(NO.formatted("PLAYER_NOT_FOUND"), send(move(shop, "win", "nobody", "w2", "1")));
    assertEquals(DONE.formatted("301"), send(move(shop, "win", "ana", "w2", "1")));
    send(move(shop, "bet", "ana", "b2", "2"));
    assertEquals(NO.formatted("AMOUNT_MISMATCH"), send(move(shop, "refund", "ana", "f2", "1").of("b2")));
    assertEquals(DONE.formatted("301"), send(move(shop, "refund", "ana", "f2", "2").of("b2")));
    assertEquals(NO.formatted("PLAYER_NOT_FOUND"), send(move(shop, "bet", "nobody", "b3", "1")));
    assertEquals(NO.formatted("PLAYER_NOT_FOUND"), send(move(shop, "bet", "ana", "b3", "1")));
  }

  @Test
  @DisplayName("a bet or win that comes after its reversal found nothing is refused for ever")
  void tombstones() {
    var refund = move(shop, "refund", "ana", "f1", "2.5").of("b1");
    var rollback = move(shop, "rollback", "ana", "k1", "2.5").of("w1");
    for (int i = 0; i < 2; i += 1) {
      assertEquals(NO.formatted("TRANSACTION_NOT_FOUND"), send(refund));
      assertEquals(NO.formatted("TRANSACTION_NOT_FOUND"), send(rollback));
      assertEquals(NO.formatted("TRANSACTION_REVERSED"), send(move(shop, "bet", "nobody", "b1", "2.5")));
      assertEquals(NO.formatted("TRANSACTION_REVERSED"), send(move(shop, "bet", "ana", "b1", "2.5")));
      assertEquals(NO.formatted("TRANSACTION_REVERSED"), send(move(shop, "win", "ana", "w1", "2.5")));
    }
    assertBalance("100", shop, "ana");
    assertEquals(DONE.formatted("2.5"), send(move(other, "bet", "ana", "b1", "2.5")), "another merchant's id");
  }

  @Test
  @DisplayName("a reversal must name an applied bet (win) of this player that was not reversed")
  void references() {
    send(move(shop, "bet", "ana", "b1", "2.5"));
    send(move(shop, "win", "ana", "w1", "2.5"));
    assertEquals(NO.formatted("TRANSACTION_NOT_FOUND"), send(move(shop, "refund", "ana", "f1", "2.5").of("w1")));
    assertEquals(NO.formatted("TRANSACTION_NOT_FOUND"), send(move(shop, "rollback", "ana", "k1", "2.5").of("b1")));
    assertEquals(NO.formatted("TRANSACTION_NOT_FOUND"), send(move(shop, "refund", "rui", "f2", "2.5").of("b1")));
    assertEquals(NO.formatted("TRANSACTION_NOT_FOUND"), send(move(shop, "refund", "ana", "f3", "2.5").of("f3")));
    assertEquals(DONE.formatted("102.5"), send(move(shop, "refund", "ana", "f4", "2.5").of("b1")));
    assertEquals(NO.formatted("ALREADY_REVERSED"), send(move(shop, "refund", "ana", "f5", "2.5").of("b1")));
    assertEquals(NO.formatted("AMOUNT_MISMATCH"), send(move(shop, "refund", "ana", "f6", "2").of("b1")));
    assertEquals(DONE.formatted("100"), send(move(shop, "rollback", "ana", "k1", "2.5").of("w1")), "judged anew");
  }

  @Test
  @DisplayName("a block stops bets and no credits, and a rollback may leave less than nothing")
  void blockedAndNegative() {
    assertEquals(NO.formatted("PLAYER_BLOCKED"), send(move(shop, "bet", "bob", "b1", "1")));
    assertEquals(DONE.formatted("101"), send(move(shop, "win", "bob", "w1", "1")));
    createPlayer(shop, "leo", 0, false);
    send(move(shop, "win", "leo", "w2", "10"));
    send(move(shop, "bet", "leo", "b2", "10"));
    assertEquals(DONE.formatted("-10"), send(move(shop, "rollback", "leo", "k2", "10").of("w2")));
    assertEquals(NO.formatted("INSUFFICIENT_FUNDS"), send(move(shop, "bet", "leo", "b3", "0.01")));
    assertBalance("-10", shop, "leo");
  }

  @Test
  @DisplayName("ids that differ in case, in an accent, in a space or in their last byte are different")
  void bytes() {
    String longest = "x".repeat(126);
    List<String> ids = List.of("é", "e\u0301", "E", "e", "e ", "\ud83c\udfb0", "ss", "ß", longest + "ã", longest + "á");
    for (String id : ids) send(move(shop, "bet", "ana", id, "1"));
    assertBalance("90", shop, "ana");
    int refunds = 0;
    for (String id : ids) send(move(shop, "refund", "ana", "f" + refunds++, "1").of(id));
    assertBalance("100", shop, "ana");
  }

  @Test
  @DisplayName("a player is found by the bytes of the whole id, however long it is")
  void players() {
    String longest = "\ud83c\udfb0ã".repeat(64);
    createPlayer(shop, longest, 100, false);
    createPlayer(shop, longest, 900, true);
    assertEquals(DONE.formatted("0"), send(move(shop, "bet", longest, "b1", "1")));
    assertEquals(OptionalLong.empty(), storage.balance(shop, "ANA"));
    assertEquals(OptionalLong.empty(), storage.balance(shop, "ana "));
    assertEquals(NO.formatted("PLAYER_NOT_FOUND"), send(balance(shop, "Ana")));
  }

  @Test
  @DisplayName("work that fails stores nothing")
  void failure() {
    RuntimeException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                storage.inTransaction(
                    shop,
                    "ana",
                    stored -> {
                      stored.apply(new Applied("w1", Action.WIN, "ana", 100, null, 10_100));
                      stored.addTombstone("b1");
                      stored.reject("b2", "NO");
                      throw new IllegalStateException("half-way");
                    }));
    assertEquals("half-way", thrown.getMessage());
    assertBalance("100", shop, "ana");
    assertEquals(DONE.formatted("101"), send(move(shop, "win", "ana", "w1", "1")));
    assertEquals(DONE.formatted("100"), send(move(shop, "bet", "ana", "b1", "1")));
    assertEquals(DONE.formatted("99"), send(move(shop, "bet", "ana", "b2", "1")));
  }

  private String send(TestCallback callback) {
    return TestCallback.text(wallet.handle(callback.signed()));
  }

  private void assertBalance(String expected, String merchant, String player) {
    assertEquals(DONE.formatted(expected), send(balance(merchant, player)));
  }

  /** Sends all callbacks at once and counts each reply. */
  private Map<String, Long> atOnce(int count, Function<Integer, TestCallback> callback) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Callable<String>> calls =
          IntStream.range(0, count).<Callable<String>>mapToObj(i -> () -> send(callback.apply(i))).toList();
      List<String> replies = new ArrayList<>();
      for (Future<String> reply : threads.invokeAll(calls)) replies.add(reply.get());
      return replies.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    } finally {
      threads.shutdown();
    }
  }
}
