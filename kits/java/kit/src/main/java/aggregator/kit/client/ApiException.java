package aggregator.kit.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A refusal by the service. Each known code has its own class in {@link ApiErrors}. */
public class ApiException extends AggregatorException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  ApiException(Refusal refusal) {
    super(
        refusal.code + " (HTTP " + refusal.httpStatus + ", request " + refusal.requestId + "): " + refusal.message,
        refusal.retryAfter,
        null);
    this.refusal = refusal;
  }

  /** error.code. Decide by this code. */
  public String code() {
    return refusal.code;
  }

  public int httpStatus() {
    return refusal.httpStatus;
  }

  /** The id of the reply. Give it to support. */
  public String requestId() {
    return refusal.requestId;
  }

  /** Further facts about the refusal; empty when there are none. */
  public Map<String, Object> details() {
    return refusal.details;
  }

  /** The faults that VALIDATION_ERROR lists; empty for any other code. */
  public List<Fault> faults() {
    return refusal.faults;
  }

  @Override
  public boolean mayRetry() {
    // The client signs each call with a new nonce. NONCE_REUSED means that the connection sent the call twice.
    return refusal.httpStatus == 429 || refusal.httpStatus >= 500 || refusal.code.equals("NONCE_REUSED");
  }

  /** A field or parameter that breaks a rule. The message is text for people. */
  public record Fault(String field, String rule, String message) {}

  /** The content of a refusal. */
  record Refusal(
      String code,
      String message,
      int httpStatus,
      String requestId,
      Map<String, Object> details,
      List<Fault> faults,
      Duration retryAfter) {}
}
