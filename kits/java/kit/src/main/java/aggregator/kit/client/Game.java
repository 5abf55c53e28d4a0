package aggregator.kit.client;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A game of the catalog. A field is null when the provider gave no value. The first six fields and {@code updatedAt}
 * are never null.
 *
 * @param active whether it can be launched
 * @param rtp return to player, in percent
 * @param names the name by language; null: the catalog has none
 */
public record Game(
    String code,
    String provider,
    String name,
    String type,
    boolean demoAvailable,
    boolean active,
    Images images,
    List<String> tags,
    BigDecimal rtp,
    String volatility,
    Boolean freeRounds,
    Boolean jackpot,
    List<String> platforms,
    List<String> languages,
    List<String> blockedCountries,
    Instant releasedAt,
    Instant updatedAt,
    Map<String, String> names) {
  /** Addresses of pictures; each may be null. */
  public record Images(String thumb, String square, String background) {}
}
