package aggregator.kit.client;

/**
 * An opened game.
 *
 * @param launchUrl show it at once, and do not store it
 */
public record Launch(String launchUrl, String game, String provider, boolean demo) {}
