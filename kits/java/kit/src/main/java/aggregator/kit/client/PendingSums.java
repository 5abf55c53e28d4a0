package aggregator.kit.client;

import java.math.BigDecimal;

/** The sums of pending transactions, in the major unit. */
public record PendingSums(
    long count, BigDecimal bets, BigDecimal refunds, BigDecimal wins, BigDecimal rollbacks) {}
