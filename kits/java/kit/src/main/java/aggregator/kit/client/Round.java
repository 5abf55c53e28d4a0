package aggregator.kit.client;

import java.math.BigDecimal;
import java.util.List;

/**
 * A page of a round's transactions, the oldest first, with the sums of the whole round.
 *
 * @param nextCursor where the next page begins; null: this was the last one
 */
public record Round(String provider, String roundId, List<Transaction> items, Sums sums, String nextCursor) {
  /** In the major unit, exact. All but {@code pending} count successful transactions only. */
  public record Sums(
      BigDecimal bets, BigDecimal refunds, BigDecimal wins, BigDecimal rollbacks, PendingSums pending) {}
}
