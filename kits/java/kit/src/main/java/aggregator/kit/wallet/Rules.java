package aggregator.kit.wallet;

import java.util.Optional;

/** The rules of a wallet: what becomes of one transaction, and what its copies are told. */
final class Rules {
  private Rules() {}

  /** How a transaction ends: applied with the balance after it, or rejected with a code. */
  sealed interface Verdict {
    record Done(long balanceMinor) implements Verdict {}

    record Rejected(String error) implements Verdict {}
  }

  /** Judges a transaction and stores the verdict. It runs inside a transaction of the storage. */
  static Verdict judge(Callback.Move move, Storage.Transaction stored) {
    Optional<Applied> before = stored.applied(move.txId());
    if (before.isPresent()) return new Verdict.Done(before.get().balanceMinor());
    Optional<String> rejection = stored.rejection(move.txId());
    if (rejection.isPresent()) return new Verdict.Rejected(rejection.get());

    Optional<Player> player = stored.player();
    String objection = player.isEmpty() ? "PLAYER_NOT_FOUND" : objection(move, player.get(), stored);
    if (objection != null) {
      // A win or refund is the player's money: it is sent again on purpose and judged anew. So is a reversal that found
      // nothing.
      boolean isFinal = !move.action().isCredit() && !objection.equals("TRANSACTION_NOT_FOUND");
      if (isFinal) stored.reject(move.txId(), objection);
      return new Verdict.Rejected(objection);
    }
    long balance = Math.addExact(player.orElseThrow().balanceMinor(), move.action().delta(move.amountMinor()));
    stored.apply(
        new Applied(move.txId(), move.action(), move.playerId(), move.amountMinor(), move.refTxId(), balance));
    return new Verdict.Done(balance);
  }

  /** Why the transaction can't be applied; null: it can. */
  private static String objection(Callback.Move move, Player player, Storage.Transaction stored) {
    if (stored.isTombstone(move.txId())) return "TRANSACTION_REVERSED";
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
      // It may still be on its way, and nobody reverses it again.
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
