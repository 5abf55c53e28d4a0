package aggregator.kit.wallet;

/**
 * A transaction that moved money.
 *
 * @param amountMinor above 0, in minor units
 * @param refTxId the bet or win that a refund or rollback reverses; null for a bet or win
 * @param balanceMinor the player's balance after it; every reply to a repeat has this balance
 */
public record Applied(
    String txId, Action action, String playerId, long amountMinor, String refTxId, long balanceMinor) {}
