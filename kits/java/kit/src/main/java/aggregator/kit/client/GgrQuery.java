package aggregator.kit.client;

import java.time.LocalDate;
import java.time.ZoneId;

/** The days of a report and the grouping of its rows. */
public final class GgrQuery extends Query<GgrQuery> {
  /** The first and the last day. The report includes both. They span at most 92 days. */
  public GgrQuery(LocalDate from, LocalDate to) {
    with("from", from).with("to", to);
  }

  @Override
  GgrQuery self() {
    return this;
  }

  /** {@code day} (the default), {@code provider}, {@code game}, {@code type} or {@code player}. */
  public GgrQuery groupBy(String group) {
    return with("group_by", group);
  }

  /** The time zone of the days; UTC by default. */
  public GgrQuery timeZone(ZoneId zone) {
    return with("tz", zone.getId());
  }

  public GgrQuery provider(String code) {
    return with("provider", code);
  }

  /** {@code slot}, {@code live} or {@code sportsbook}. */
  public GgrQuery type(String type) {
    return with("type", type);
  }
}
