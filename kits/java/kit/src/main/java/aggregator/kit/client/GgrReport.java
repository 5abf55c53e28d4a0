package aggregator.kit.client;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/**
 * What a merchant's successful transactions add up to.
 *
 * @param totals a row without a key
 * @param asOf the moment of which the whole report is
 */
public record GgrReport(String currency, String tz, String groupBy, List<Row> rows, Row totals, Instant asOf) {
  /**
   * Sums in the major unit, exact, and how many transactions each is of.
   *
   * @param key the day, provider, game, type or player; null in the totals
   * @param ggr (bets - refunds) - (wins - rollbacks)
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
      PendingSums pending) {}
}
