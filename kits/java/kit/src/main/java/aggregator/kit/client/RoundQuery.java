package aggregator.kit.client;

import java.time.Instant;

/** The filters of a list of rounds. By default it has the open rounds. */
public final class RoundQuery extends Query<RoundQuery> {
  @Override
  RoundQuery self() {
    return this;
  }

  /** {@code open}, or {@code ended}, which is the default with {@link #endedSince}. */
  public RoundQuery state(String state) {
    return with("state", state);
  }

  /** Rounds that were opened before this time. */
  public RoundQuery olderThan(Instant time) {
    return with("older_than", time);
  }

  /** Rounds that ended at this time or later. */
  public RoundQuery endedSince(Instant time) {
    return with("ended_since", time);
  }
}
