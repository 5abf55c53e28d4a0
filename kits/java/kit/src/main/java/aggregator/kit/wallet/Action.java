package aggregator.kit.wallet;

/** The actions that move money. A balance query is not one of them. */
public enum Action {
  BET(-1),
  WIN(1),
  REFUND(1),
  ROLLBACK(-1);

  private final int sign;

  Action(int sign) {
    this.sign = sign;
  }

  /** The change of the balance by this action. */
  long delta(long amountMinor) {
    return sign * amountMinor;
  }

  boolean isCredit() {
    return sign > 0;
  }

  /** The action that a reversal reverses; null for a bet or win. */
  Action reversed() {
    return switch (this) {
      case REFUND -> BET;
      case ROLLBACK -> WIN;
      default -> null;
    };
  }
}
