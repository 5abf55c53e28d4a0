package aggregator.kit.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The changes of transactions, page after page, without end. Store each page's cursor with its items, and continue from
 * it after a restart.
 *
 * <p>At the end of the feed it yields an empty or short page, and waits a second before the next call. When the service
 * limits calls, is unavailable or cannot be reached, the feed waits and repeats the call without limit. It throws any
 * other refusal, such as that of a wrong secret. {@link #close} ends the iteration and may be called from any thread.
 * Only one thread may iterate.
 */
public final class Feed implements Iterator<FeedPage>, Iterable<FeedPage>, AutoCloseable {
  private static final Duration PAUSE_AT_END = Duration.ofSeconds(1);

  private final Transport transport;
  private final Map<String, String> first;
  private final boolean isFiltered;
  private final int limit;
  private final CountDownLatch closed = new CountDownLatch(1);
  private String cursor;
  private boolean atEnd;
  private FeedPage next;

  Feed(Transport transport, FeedQuery query, Instant since, String cursor) {
    this.transport = transport;
    this.limit = query.limit();
    this.cursor = cursor;
    this.first = query.parameters();
    this.isFiltered = !first.isEmpty();
    if (cursor == null) first.put("updated_since", since.toString());
  }

  @Override
  public Iterator<FeedPage> iterator() {
    return this;
  }

  /** Waits for the next page. False: the feed was closed. @throws AggregatorException a refusal that cannot pass */
  @Override
  public boolean hasNext() {
    if (next == null && !(atEnd && isClosedAfter(PAUSE_AT_END))) next = read();
    return next != null;
  }

  @Override
  public FeedPage next() {
    if (!hasNext()) throw new NoSuchElementException("the feed was closed");
    FeedPage page = next;
    next = null;
    return page;
  }

  @Override
  public void close() {
    closed.countDown();
  }

  /** The next page; null: the feed was closed. */
  private FeedPage read() {
    for (int attempts = 1; closed.getCount() > 0; attempts += 1) {
      try {
        return page(transport.getOnce(target()));
      } catch (AggregatorException failure) {
        if (!failure.mayRetry()) throw failure;
        if (isClosedAfter(transport.retries().delay(attempts, failure))) return null;
      }
    }
    return null;
  }

  private String target() {
    Map<String, String> parameters = cursor == null ? new LinkedHashMap<>(first) : new LinkedHashMap<>();
    if (cursor != null) parameters.put("cursor", cursor);
    parameters.put("limit", Integer.toString(limit));
    return Query.target("/v1/transactions", parameters);
  }

  private FeedPage page(JsonNode data) {
    List<Transaction> items = Json.list(data.path("items"), Transaction.class);
    String reached = data.path("next_cursor").textValue();
    if (reached == null) throw new UnreadableReplyException(FeedPage.class, null);
    // With a filter any page may be short. The feed is at its end when the cursor does not change.
    atEnd = reached.equals(cursor) || (!isFiltered && items.size() < limit);
    cursor = reached;
    return new FeedPage(items, reached, data.path("behind_ms").longValue(), atEnd);
  }

  private boolean isClosedAfter(Duration delay) {
    try {
      return closed.await(delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException cause) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
