package aggregator.kit.client;

import java.time.Instant;
import java.util.List;

/**
 * One transaction with the calls that the service made to the wallet for it.
 *
 * @param attemptLog the first 2,000 calls
 */
public record TransactionDetails(Transaction transaction, List<Attempt> attemptLog) {
  /**
   * One call of the wallet. A value is null when the service's process died before it could record it.
   *
   * @param n 1, 2, 3 and so on: the callback's X-Attempt header
   * @param durationMs milliseconds
   * @param httpStatus the status of the wallet's reply; null also when there was no reply
   * @param requestId the callback's X-Request-Id header
   * @param replyStart the beginning of a reply that was unreadable as an answer, with secrets masked; null otherwise
   */
  public record Attempt(
      int n,
      Instant at,
      Integer durationMs,
      Integer httpStatus,
      String result,
      String requestId,
      String replyStart) {}
}
