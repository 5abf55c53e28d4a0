package aggregator.kit.client;

import java.util.List;

/**
 * A page of the feed.
 *
 * @param items transactions whose state changed, the oldest change first; each replaces your copy with the same txId
 * @param cursor store it and the items in one database transaction, and continue from it after a restart
 * @param behindMs the age in milliseconds of the oldest change that is not in the feed yet
 * @param atEnd whether there were no more changes when this page was read
 */
public record FeedPage(List<Transaction> items, String cursor, long behindMs, boolean atEnd) {}
