package aggregator.kit.money;

import java.math.BigDecimal;

/** The currencies with their numbers of decimals. Amounts are whole minor units: cents, or pesos of CLP. */
public enum Currency {
  BRL(2),
  MXN(2),
  ARS(2),
  COP(2),
  CLP(0),
  PEN(2),
  USD(2);

  /** No amount or balance has more digits than this. */
  private static final int DIGITS_MAX = 15;

  private final int decimals;

  Currency(int decimals) {
    this.decimals = decimals;
  }

  public int decimals() {
    return decimals;
  }

  /**
   * Converts an amount from the major unit to minor units: 2.5 BRL is 250.
   *
   * @throws ArithmeticException when it has more decimals than the currency, or more than 15 digits
   */
  public long toMinor(BigDecimal major) {
    // The digits of a number such as 1e999999999 would fill the memory.
    if (major.signum() != 0 && major.precision() - major.scale() > DIGITS_MAX)
      throw new ArithmeticException("the amount has more than " + DIGITS_MAX + " digits");
    return major.movePointRight(decimals).longValueExact();
  }

  /** Converts minor units to the major unit, in the shortest form: 250 BRL is 2.5. */
  public BigDecimal toMajor(long minor) {
    BigDecimal shortest = BigDecimal.valueOf(minor, decimals).stripTrailingZeros();
    return shortest.scale() < 0 ? shortest.setScale(0) : shortest;
  }
}
