package aggregator.kit.client;

import java.math.BigDecimal;

/**
 * The sum of the bets or wins of one kind.
 *
 * @param action {@code bet} or {@code win}
 * @param kind for example {@code jackpot}; later releases may add kinds
 */
public record KindSum(String action, String kind, long count, BigDecimal amount) {}
