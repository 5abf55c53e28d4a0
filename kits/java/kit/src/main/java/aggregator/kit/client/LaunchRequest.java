package aggregator.kit.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;

/** The game and the player of a launch. Each method sets a field and returns this object. */
public final class LaunchRequest {
  private final ObjectNode fields = Json.MAPPER.createObjectNode();

  /**
   * @param playerId the merchant's own id of the player
   * @param game the game's code; {@code sportsbook} for the sportsbook
   */
  public LaunchRequest(String playerId, String game) {
    fields.put("player_id", playerId).put("game", game);
  }

  /** The provider's code. It is required when several providers have a game with this code. */
  public LaunchRequest provider(String code) {
    fields.put("provider", code);
    return this;
  }

  /** The merchant's currency. */
  public LaunchRequest currency(String currency) {
    fields.put("currency", currency);
    return this;
  }

  /** {@code pt}, {@code es} or {@code en}, alone or with a region. */
  public LaunchRequest lang(String language) {
    fields.put("lang", language);
    return this;
  }

  /** The player's country, ISO 3166-1 alpha-2. */
  public LaunchRequest country(String country) {
    fields.put("country", country);
    return this;
  }

  /** Opens the game with play money, without the wallet. */
  public LaunchRequest demo() {
    fields.put("demo", true);
    return this;
  }

  /** The address of the player's device. Some providers require it. */
  public LaunchRequest playerIp(String address) {
    fields.put("player_ip", address);
    return this;
  }

  /** {@code desktop} or {@code mobile}. */
  public LaunchRequest device(String device) {
    fields.put("device", device);
    return this;
  }

  /** The page at which the player deposits money. */
  public LaunchRequest depositUrl(String url) {
    fields.put("deposit_url", url);
    return this;
  }

  /** The page with the player's history. */
  public LaunchRequest historyUrl(String url) {
    fields.put("history_url", url);
    return this;
  }

  /** A name to show in the game: 1 to 64 characters. */
  public LaunchRequest displayName(String name) {
    fields.put("display_name", name);
    return this;
  }

  /** The page to which the game sends the player at the end: an http or https URL. */
  public LaunchRequest lobbyUrl(String url) {
    fields.put("lobby_url", url);
    return this;
  }

  byte[] toBody() {
    return fields.toString().getBytes(StandardCharsets.UTF_8);
  }
}
