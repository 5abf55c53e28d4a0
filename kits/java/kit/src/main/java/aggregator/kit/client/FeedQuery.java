package aggregator.kit.client;

/** The filters of a feed. Without a filter the feed has all changes. */
public final class FeedQuery extends TransactionFilter<FeedQuery> {
  private int limit = 1_000;

  @Override
  FeedQuery self() {
    return this;
  }

  /** The maximum number of items of a page: 1 to 1,000, by default 1,000. */
  public FeedQuery limit(int items) {
    limit = items;
    return this;
  }

  int limit() {
    return limit;
  }
}
