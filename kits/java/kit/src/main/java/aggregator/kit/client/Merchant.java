package aggregator.kit.client;

import java.util.List;

/**
 * The service's record of the merchant.
 *
 * @param environment {@code development}, {@code staging} or {@code production}
 * @param serverTime the service's clock, in milliseconds since 1970
 * @param capabilities what the service can send and show beyond its first release; null: the
 *     service is older than this list
 */
public record Merchant(
    String code,
    String currency,
    String brand,
    List<String> products,
    String defaultLanguage,
    boolean walletConfigured,
    String environment,
    Sportsbook sportsbook,
    long serverTime,
    List<String> capabilities) {
  /** Each is null when no sportsbook is connected. */
  public record Sportsbook(String url, String scriptUrl, String integrityUrl) {}
}
