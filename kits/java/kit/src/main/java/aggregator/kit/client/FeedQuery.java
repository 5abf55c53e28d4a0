package aggregator.kit.client;

/** Which changes a feed brings: all of them, unless a filter chooses. */
public final class FeedQuery extends TransactionFilter<FeedQuery> {
  private int limit = 1_000;

  @Override
  FeedQuery self() {
    return this;
  }

  /** The items of a page: 1 to 1,000, by default 1,000. */
  public FeedQuery limit(int items) {
    limit = items;
    return this;
  }

  int limit() {
    return limit;
  }
}
