package aggregator.kit.wallet;

/**
 * A player of a merchant.
 *
 * @param balanceMinor in minor units; a rollback may leave it below 0
 * @param blocked whether bets are refused; wins and refunds never are
 */
public record Player(long balanceMinor, boolean blocked) {}
