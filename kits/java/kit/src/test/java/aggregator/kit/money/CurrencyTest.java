package aggregator.kit.money;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Currencies")
class CurrencyTest {
  @ParameterizedTest
  @CsvSource({
    "BRL, 0.01, 1", "BRL, 2.5, 250", "BRL, 2.50, 250", "BRL, 1.15, 115", "BRL, 25e-1, 250", "BRL, 1e3, 100000",
    "BRL, 9999999999.99, 999999999999", "CLP, 1500, 1500", "CLP, 1.5e3, 1500", "CLP, 3.0, 3", "BRL, 0, 0"
  })
  @DisplayName("an amount is read exactly")
  void reads(Currency currency, BigDecimal major, long minor) {
    assertEquals(minor, currency.toMinor(major));
  }

  @ParameterizedTest
  @CsvSource({"BRL, 0.001", "CLP, 0.5", "BRL, 1e999999999", "BRL, 1e-999999999", "BRL, 1e15", "CLP, 1e16"})
  @DisplayName("an amount with more decimals than the currency, or too many digits, is refused at once")
  void refuses(Currency currency, BigDecimal major) {
    assertThrows(ArithmeticException.class, () -> currency.toMinor(major));
  }

  @ParameterizedTest
  @CsvSource({
    "BRL, 250, 2.5", "BRL, 0, 0", "BRL, 100, 1", "BRL, 100000, 1000", "BRL, -5, -0.05", "CLP, 1500, 1500",
    "BRL, 999999999999999, 9999999999999.99"
  })
  @DisplayName("minor units are written in the shortest form, never with an exponent")
  void writes(Currency currency, long minor, String text) {
    assertEquals(text, currency.toMajor(minor).toString());
  }
}
