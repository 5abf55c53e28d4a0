package aggregator.kit.money;

import java.math.BigDecimal;

/** The currencies, and how many decimals each has. Amounts are whole minor units: cents, and pesos of CLP. */
public enum Currency {
  BRL(2),
  MXN(2),
  ARS(2),
  COP(2),
  CLP(0),
  PEN(2),
  USD(2);

  /** More digits than any amount or balance may have. */
  private static final int DIGITS_MAX = 15;

  private final int decimals;

  Currency(int decimals) {
    this.decimals = decimals;
  }

  public int decimals() {
    return decimals;
  }

  /**
   * An amount in the major unit as minor units: 2.5 BRL is 250.
   *
   * @throws ArithmeticException when it has more decimals than the currency, or more digits than any amount
   */
  public long toMinor(BigDecimal major) {
    // A number such as 1e999999999 would fill the memory when it is written out.
    if (major.signum() != 0 && major.precision() - major.scale() > DIGITS_MAX)
      throw new ArithmeticException("the amount has more than " + DIGITS_MAX + " digits");
    return major.movePointRight(decimals).longValueExact();
  }

  /** Minor units as an amount in the major unit, in its shortest form: 250 BRL is 2.5. */
  public BigDecimal toMajor(long minor) {
    BigDecimal shortest = BigDecimal.valueOf(minor, decimals).stripTrailingZeros();
    return shortest.scale() < 0 ? shortest.setScale(0) : shortest;
  }
}
