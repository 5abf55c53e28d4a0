package aggregator.kit.wallet;

/**
 * A player of a merchant.
 *
 * @param balanceMinor in minor units; a rollback may make it negative
 * @param blocked whether the wallet rejects the player's bets; it still applies wins and refunds
 */
public record Player(long balanceMinor, boolean blocked) {}
