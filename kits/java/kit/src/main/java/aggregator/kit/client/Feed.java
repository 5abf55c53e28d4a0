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
 * The changes of transactions, page after page, without an end. Store each page's cursor with its items, and give it
 * back after a restart.
 *
 * <p>At the end of the feed it yields a page without items or a short one, and waits a second before it asks again.
 * When the service limits calls, is not available or cannot be reached, it waits and asks again, for ever. A refusal
 * that stays, such as a wrong secret, is thrown. {@link #close}, from any thread, ends the iteration. One thread
 * iterates.
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

  /** Waits for the next page. False: the feed was closed. @throws AggregatorException a refusal that stays */
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

  /** Null: closed. */
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
    // A filtered page may be short anywhere. Its end is where the cursor stays.
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
