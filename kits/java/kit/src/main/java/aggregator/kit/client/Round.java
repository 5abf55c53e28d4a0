package aggregator.kit.client;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/**
 * A page of a round's transactions, the oldest first, with the sums of the whole round.
 *
 * @param state {@code open}, {@code ended} or {@code unknown}; null: the service is older than the ends of rounds
 * @param endedAt null unless the round has ended
 * @param nextCursor the cursor of the next page; null: this is the last page
 */
public record Round(
    String provider,
    String roundId,
    String state,
    Instant endedAt,
    List<Transaction> items,
    Sums sums,
    String nextCursor) {
  /** Exact sums in the major unit. All except {@code pending} count successful transactions only. */
  public record Sums(
      BigDecimal bets, BigDecimal refunds, BigDecimal wins, BigDecimal rollbacks, PendingSums pending) {}
}
