package aggregator.kit.client;

import java.math.BigDecimal;

/** What pending transactions add up to, in the major unit. */
public record PendingSums(
    long count, BigDecimal bets, BigDecimal refunds, BigDecimal wins, BigDecimal rollbacks) {}
