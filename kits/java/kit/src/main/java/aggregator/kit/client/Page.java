package aggregator.kit.client;

import java.util.List;

/**
 * A page of a list.
 *
 * @param nextCursor the cursor of the next page; null: this is the last page
 * @param total the number of items on all pages; null when the service does not count them
 * @param etag send it with the same call to learn whether anything changed; null when the reply had none
 */
public record Page<T>(List<T> items, String nextCursor, Long total, String etag) {}
