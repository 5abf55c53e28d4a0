package aggregator.kit.client;

import java.time.Instant;

/**
 * A round whose provider says when its rounds end.
 *
 * @param state {@code open} or {@code ended}
 * @param endedAt null: the round is open
 */
public record ListedRound(String provider, String roundId, String state, Instant openedAt, Instant endedAt) {}
