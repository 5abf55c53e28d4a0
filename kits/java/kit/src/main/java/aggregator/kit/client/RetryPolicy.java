package aggregator.kit.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often the client repeats a call that may succeed later, and the delays before each repeat. Only calls that are
 * safe to repeat are repeated. A launch is never repeated, because each launch opens a session.
 *
 * @param attemptsMax the maximum number of attempts; 1: no repeats
 * @param firstDelay the delay before the second attempt; it doubles from attempt to attempt
 * @param delayMax the longest delay; if the service requests a longer delay, the call fails
 */
public record RetryPolicy(int attemptsMax, Duration firstDelay, Duration delayMax) {
  public static final RetryPolicy DEFAULT = new RetryPolicy(4, Duration.ofMillis(250), Duration.ofSeconds(10));
  public static final RetryPolicy NEVER = new RetryPolicy(1, Duration.ZERO, Duration.ZERO);

  public RetryPolicy {
    if (attemptsMax < 1) throw new IllegalArgumentException("attemptsMax must be 1 or more, not " + attemptsMax);
  }

  /** The longest accepted Retry-After, because a proxy may send a value of days. */
  private static final Duration ASKED_MAX = Duration.ofMinutes(5);

  /** Whether to repeat the call after this many attempts. */
  boolean allows(int attempts, AggregatorException failure) {
    return failure.mayRetry()
        && attempts < attemptsMax
        && failure.retryAfter().orElse(Duration.ZERO).compareTo(delayMax) <= 0;
  }

  /**
   * The delay after this many attempts: the service's Retry-After, but at most 5 minutes, or twice the last delay, plus
   * up to 10 %.
   */
  Duration delay(int attempts, AggregatorException failure) {
    long doubled = firstDelay.toMillis() << Math.min(attempts - 1, 20);
    long standard = Math.min(doubled, delayMax.toMillis());
    long millis =
        failure.retryAfter().map(asked -> Math.min(asked.toMillis(), ASKED_MAX.toMillis())).orElse(standard);
    return Duration.ofMillis(millis + ThreadLocalRandom.current().nextLong(millis / 10 + 1));
  }
}
