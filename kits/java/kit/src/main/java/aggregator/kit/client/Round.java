package aggregator.kit.client;

import java.math.BigDecimal;
import java.util.List;

/**
 * A page of a round's transactions, the oldest first, with the sums of the whole round.
 *
 * @param nextCursor the cursor of the next page; null: this is the last page
 */
public record Round(String provider, String roundId, List<Transaction> items, Sums sums, String nextCursor) {
  /** Exact sums in the major unit. All except {@code pending} count successful transactions only. */
  public record Sums(
      BigDecimal bets, BigDecimal refunds, BigDecimal wins, BigDecimal rollbacks, PendingSums pending) {}
}
