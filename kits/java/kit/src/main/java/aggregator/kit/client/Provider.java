package aggregator.kit.client;

/**
 * A provider of games.
 *
 * @param active whether its games can be launched
 * @param games how many active games of the merchant's products it has
 */
public record Provider(String code, String name, boolean active, int games) {}
