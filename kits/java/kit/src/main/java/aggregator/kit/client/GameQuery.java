package aggregator.kit.client;

import java.time.Instant;

/** The filters of the list of games. By default it has the games that can be launched. */
public final class GameQuery extends Query<GameQuery> {
  @Override
  GameQuery self() {
    return this;
  }

  /** {@code slot}, {@code live} or {@code sportsbook}. */
  public GameQuery type(String type) {
    return with("type", type);
  }

  public GameQuery provider(String code) {
    return with("provider", code);
  }

  /** A part of the code or name, in any case. */
  public GameQuery search(String text) {
    return with("q", text);
  }

  public GameQuery demoAvailable(boolean available) {
    return with("demo_available", available);
  }

  /** Only inactive games. */
  public GameQuery inactive() {
    return with("active", false);
  }

  /** Active and inactive games. */
  public GameQuery activeOrNot() {
    return with("active", "all");
  }

  /** Games that changed at this time or later. */
  public GameQuery updatedSince(Instant time) {
    return with("updated_since", time);
  }

  /** The language of the names: {@code pt}, {@code es} or {@code en}, alone or with a region. */
  public GameQuery lang(String language) {
    return with("lang", language);
  }
}
