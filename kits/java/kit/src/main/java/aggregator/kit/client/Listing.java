package aggregator.kit.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A list that is read page by page while an iterator advances. Each iterator begins at the first page. */
public final class Listing<T> implements Iterable<T> {
  private final Transport transport;
  private final String path;
  private final Map<String, String> parameters;
  private final Class<T> type;
  private final Map<String, String> limit;

  Listing(Transport transport, String path, Map<String, String> parameters, Class<T> type) {
    this(transport, path, parameters, type, Map.of());
  }

  private Listing(
      Transport transport, String path, Map<String, String> parameters, Class<T> type, Map<String, String> limit) {
    this.transport = transport;
    this.path = path;
    this.parameters = parameters;
    this.type = type;
    this.limit = limit;
  }

  /** The same list with this maximum of items per page: up to 1,000 transactions, 500 games or providers. */
  public Listing<T> limit(int items) {
    return new Listing<>(transport, path, parameters, type, Map.of("limit", Integer.toString(items)));
  }

  /** All items. When a page fails, {@code hasNext} throws {@link AggregatorException}. */
  @Override
  public Iterator<T> iterator() {
    return new Items();
  }

  public Stream<T> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  /**
   * One page.
   *
   * @param cursor the previous page's {@code nextCursor}; null: the first page
   */
  public Page<T> page(String cursor) {
    return pageIfChanged(cursor, null).orElseThrow();
  }

  /**
   * One page; empty when it has not changed. For games and providers only.
   *
   * @param etag the ETag of the same page from an earlier reply
   */
  public Optional<Page<T>> pageIfChanged(String cursor, String etag) {
    Optional<Transport.Data> changed = transport.getIfChanged(target(cursor), etag);
    return changed.map(
        reply -> {
          JsonNode data = reply.json();
          List<T> items = Json.list(data.path("items"), type);
          String next = data.path("next_cursor").textValue();
          Long total = data.has("total") ? data.path("total").longValue() : null;
          return new Page<>(items, next, total, reply.etag());
        });
  }

  private String target(String cursor) {
    // A cursor contains the parameters except the limit.
    Map<String, String> asked = new LinkedHashMap<>(cursor == null ? parameters : Map.of("cursor", cursor));
    asked.putAll(limit);
    return Query.target(path, asked);
  }

  private final class Items implements Iterator<T> {
    private Iterator<T> page;
    private String cursor;
    private boolean isLast;

    @Override
    public boolean hasNext() {
      while (page == null || !page.hasNext()) {
        if (isLast) return false;
        Page<T> next = page(cursor);
        page = next.items().iterator();
        cursor = next.nextCursor();
        isLast = cursor == null;
      }
      return true;
    }

    @Override
    public T next() {
      if (!hasNext()) throw new NoSuchElementException();
      return page.next();
    }
  }
}
