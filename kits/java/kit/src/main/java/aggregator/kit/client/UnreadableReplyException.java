package aggregator.kit.client;

import java.time.Duration;

/** A reply without the API's JSON, for example the error page of a proxy. */
public final class UnreadableReplyException extends AggregatorException {
  private static final long serialVersionUID = 1L;

  private final int httpStatus;

  UnreadableReplyException(int httpStatus, Duration retryAfter, Throwable cause) {
    super("HTTP " + httpStatus + " without the API's JSON. Is the base URL right?", retryAfter, cause);
    this.httpStatus = httpStatus;
  }

  /** A success whose JSON does not fit the type. */
  UnreadableReplyException(Class<?> type, Throwable cause) {
    super("HTTP 200 with JSON that does not fit " + type.getSimpleName(), null, cause);
    this.httpStatus = 200;
  }

  public int httpStatus() {
    return httpStatus;
  }

  @Override
  public boolean mayRetry() {
    return httpStatus == 429 || httpStatus >= 500;
  }
}
