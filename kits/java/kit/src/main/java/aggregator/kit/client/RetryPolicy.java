package aggregator.kit.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often and after how long a call that may succeed later is made again. Only calls that change nothing when they
 * are repeated are; a launch is not, for each opens a session.
 *
 * @param attemptsMax 1: never again
 * @param firstDelay before the second attempt; it doubles from attempt to attempt
 * @param delayMax the longest delay; a service that asks for a longer one is not asked again by this call
 */
public record RetryPolicy(int attemptsMax, Duration firstDelay, Duration delayMax) {
  public static final RetryPolicy DEFAULT = new RetryPolicy(4, Duration.ofMillis(250), Duration.ofSeconds(10));
  public static final RetryPolicy NEVER = new RetryPolicy(1, Duration.ZERO, Duration.ZERO);

  public RetryPolicy {
    if (attemptsMax < 1) throw new IllegalArgumentException("attemptsMax must be 1 or more, not " + attemptsMax);
  }

  /** Whether to make the call again after this many attempts. */
  boolean allows(int attempts, AggregatorException failure) {
    return failure.mayRetry()
        && attempts < attemptsMax
        && failure.retryAfter().orElse(Duration.ZERO).compareTo(delayMax) <= 0;
  }

  /** The delay after this many attempts: what the service asks for, else twice the last one, with up to 10 % more. */
  Duration delay(int attempts, AggregatorException failure) {
    long doubled = firstDelay.toMillis() << Math.min(attempts - 1, 20);
    long standard = Math.min(doubled, delayMax.toMillis());
    long millis = failure.retryAfter().map(Duration::toMillis).orElse(standard);
    return Duration.ofMillis(millis + ThreadLocalRandom.current().nextLong(millis / 10 + 1));
  }
}
