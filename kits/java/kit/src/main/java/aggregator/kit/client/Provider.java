package aggregator.kit.client;

/**
 * A provider of games.
 *
 * @param active whether its games can be launched
 * @param games the number of its active games of the merchant's products
 */
public record Provider(String code, String name, boolean active, int games) {}
