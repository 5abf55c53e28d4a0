package aggregator.kit.wallet;

/** What moves money. A balance query is not a transaction. */
public enum Action {
  BET(-1),
  WIN(1),
  REFUND(1),
  ROLLBACK(-1);

  private final int sign;

  Action(int sign) {
    this.sign = sign;
  }

  /** What this action does to the balance. */
  long delta(long amountMinor) {
    return sign * amountMinor;
  }

  boolean isCredit() {
    return sign > 0;
  }

  /** What a reversal reverses; null for a bet or win. */
  Action reversed() {
    return switch (this) {
      case REFUND -> BET;
      case ROLLBACK -> WIN;
      default -> null;
    };
  }
}
