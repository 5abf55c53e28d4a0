package aggregator.kit.client;

/** No complete reply came: no connection, a broken connection or a time-out, or the thread was interrupted. */
public final class NoReplyException extends AggregatorException {
  private static final long serialVersionUID = 1L;

  NoReplyException(String message, Throwable cause) {
    super(message, null, cause);
  }

  @Override
  public boolean mayRetry() {
    return !(getCause() instanceof InterruptedException);
  }
}
