package aggregator.kit.client;

import java.time.Instant;

/** The filters of a listing. By default it has the transactions of the last 24 hours, the newest first. */
public final class TransactionQuery extends TransactionFilter<TransactionQuery> {
  @Override
  TransactionQuery self() {
    return this;
  }

  /** Transactions created at this time or later. It is at most 31 days before {@code to}. */
  public TransactionQuery from(Instant time) {
    return with("from", time);
  }

  /** Transactions created before this time. */
  public TransactionQuery to(Instant time) {
    return with("to", time);
  }

  /** {@code success}, {@code pending} or {@code failed}. */
  public TransactionQuery status(String status) {
    return with("status", status);
  }

  public TransactionQuery oldestFirst() {
    return with("order", "asc");
  }
}
