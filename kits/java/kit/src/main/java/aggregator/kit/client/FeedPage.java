package aggregator.kit.client;

import java.util.List;

/**
 * A page of the feed.
 *
 * @param items transactions whose state changed, the oldest change first; put each over your copy by its txId
 * @param cursor store it in one database transaction with the items, and go on from it after a restart
 * @param behindMs the age in milliseconds of the oldest change that is not in the feed yet
 * @param atEnd whether there was nothing more when this page was read
 */
public record FeedPage(List<Transaction> items, String cursor, long behindMs, boolean atEnd) {}
