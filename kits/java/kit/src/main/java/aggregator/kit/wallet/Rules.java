package aggregator.kit.wallet;

import aggregator.kit.money.Currency;
import java.util.Optional;

/** The rules of a wallet: the result of one transaction, and the reply to its copies. */
final class Rules {
  private Rules() {}

  /** The result of a transaction: applied with the balance after it, or rejected with a code. */
  sealed interface Verdict {
    record Done(long balanceMinor) implements Verdict {}

    record Rejected(String error) implements Verdict {}
  }

  /** Decides about a transaction and stores the result. Runs inside a transaction of the storage. */
  static Verdict judge(Callback.Move move, Currency merchantCurrency, Storage.Transaction stored) {
    Optional<Applied> before = stored.applied(move.txId());
    if (before.isPresent()) return new Verdict.Done(before.get().balanceMinor());
    Optional<String> rejection = stored.rejection(move.txId());
    if (rejection.isPresent()) return new Verdict.Rejected(rejection.get());

    Optional<Player> player = stored.player();
    String objection = objection(move, merchantCurrency, player, stored);
    if (objection != null) {
      // A rejected win or refund is not stored: the service sends it again on purpose, and the wallet decides again.
      // TRANSACTION_NOT_FOUND is not stored either, because the original may still arrive.
      boolean isFinal = !move.action().isCredit() && !objection.equals("TRANSACTION_NOT_FOUND");
      if (isFinal) stored.reject(move.txId(), objection);
      return new Verdict.Rejected(objection);
    }
    long balance = Math.addExact(player.orElseThrow().balanceMinor(), move.action().delta(move.amountMinor()));
    stored.apply(
        new Applied(move.txId(), move.action(), move.playerId(), move.amountMinor(), move.refTxId(), balance));
    return new Verdict.Done(balance);
  }

  /** The code of the reason why the transaction can't be applied; null: it can be applied. */
  private static String objection(
      Callback.Move move, Currency merchantCurrency, Optional<Player> found, Storage.Transaction stored) {
    if (stored.isTombstone(move.txId())) return "TRANSACTION_REVERSED";
    if (!move.currency().equals(merchantCurrency.name())) return "CURRENCY_MISMATCH";
    if (found.isEmpty()) return "PLAYER_NOT_FOUND";
    Player player = found.get();
    return switch (move.action()) {
      case BET -> {
        if (player.blocked()) yield "PLAYER_BLOCKED";
        yield player.balanceMinor() < move.amountMinor() ? "INSUFFICIENT_FUNDS" : null;
      }
      case WIN -> null;
      case REFUND, ROLLBACK -> objectionToReversal(move, stored);
    };
  }

  private static String objectionToReversal(Callback.Move move, Storage.Transaction stored) {
    Optional<Applied> found = stored.applied(move.refTxId());
    if (found.isEmpty()) {
      // The original may still arrive, and the service will not reverse it again. The tombstone prevents that it is
      // applied later.
      stored.addTombstone(move.refTxId());
      return "TRANSACTION_NOT_FOUND";
    }
    Applied original = found.get();
    if (original.action() != move.action().reversed() || !original.playerId().equals(move.playerId()))
      return "TRANSACTION_NOT_FOUND";
    if (original.amountMinor() != move.amountMinor()) return "AMOUNT_MISMATCH";
    return stored.isReversed(move.refTxId()) ? "ALREADY_REVERSED" : null;
  }
}
