package aggregator.kit.client;

import java.time.Duration;

/** A reply that does not come from the API, for example the error page of a proxy. */
public final class UnreadableReplyException extends AggregatorException {
  private static final long serialVersionUID = 1L;

  private final int httpStatus;

  UnreadableReplyException(int httpStatus, Duration retryAfter, Throwable cause) {
    super("HTTP " + httpStatus + " without the API's JSON. Is the base URL right?", retryAfter, cause);
    this.httpStatus = httpStatus;
  }

  public int httpStatus() {
    return httpStatus;
  }

  @Override
  public boolean mayRetry() {
    return httpStatus == 429 || httpStatus >= 500;
  }
}
