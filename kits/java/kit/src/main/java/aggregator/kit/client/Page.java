package aggregator.kit.client;

import java.util.List;

/**
 * A page of a list.
 *
 * @param nextCursor where the next page begins; null: this was the last one
 * @param total how many items the whole selection has; null where the service does not count them
 * @param etag send it with the same call to learn whether anything changed; null where there is none
 */
public record Page<T>(List<T> items, String nextCursor, Long total, String etag) {}
