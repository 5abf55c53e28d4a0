package aggregator.kit.client;

import java.time.Duration;
import java.util.Optional;

/** A call failed: the service refused it ({@link ApiException}), or there was no readable reply. */
public abstract class AggregatorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Duration retryAfter;

  AggregatorException(String message, Duration retryAfter, Throwable cause) {
    super(message, cause);
    this.retryAfter = retryAfter;
  }

  /** Whether the same call, signed anew, may succeed later. */
  public abstract boolean mayRetry();

  /** The pause before the next call that the service requests. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
