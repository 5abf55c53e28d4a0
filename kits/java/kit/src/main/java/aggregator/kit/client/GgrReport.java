package aggregator.kit.client;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/**
 * The sums of a merchant's successful transactions.
 *
 * @param totals the sum of all rows; it has no key
 * @param asOf the moment at which the whole report was read
 */
public record GgrReport(String currency, String tz, String groupBy, List<Row> rows, Row totals, Instant asOf) {
  /**
   * Exact sums in the major unit, and the number of transactions in each sum.
   *
   * @param key the day, provider, game, type or player; null in the totals
   * @param ggr (bets - refunds) - (wins - rollbacks)
   * @param ofWhich the parts of the bets and wins that have a kind
   */
  public record Row(
      String key,
      BigDecimal bets,
      long betsCount,
      BigDecimal refunds,
      long refundsCount,
      BigDecimal wins,
      long winsCount,
      BigDecimal rollbacks,
      long rollbacksCount,
      BigDecimal ggr,
      PendingSums pending,
      List<KindSum> ofWhich) {
    public Row {
      ofWhich = ofWhich == null ? List.of() : List.copyOf(ofWhich);
    }
  }
}
