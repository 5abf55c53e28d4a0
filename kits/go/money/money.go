// Package money has exact amounts of money. An amount is never a floating-point number.
package money

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// decimals has the number of decimals of each supported currency.
var decimals = map[string]int{"BRL": 2, "MXN": 2, "ARS": 2, "COP": 2, "CLP": 0, "PEN": 2, "USD": 2}

// Decimals returns the number of decimals of a currency, and whether the aggregator supports the currency.
func Decimals(currency string) (int, bool) {
	n, ok := decimals[currency]
	return n, ok
}

// Amount is an exact decimal number in the major unit, for example 2.5. Compare amounts with ==. The zero value
// is 0.
type Amount struct {
	// The value is units / 10^scale. The last digit of units is not 0 unless scale is 0.
	units int64
	scale uint8
}

// maxExponent limits the exponent that Parse accepts.
const maxExponent = 30

// FromMinor makes an amount from a whole number of minor units: 250 is 2.5 BRL, and 250 CLP. The error names a currency
// that the aggregator does not support.
func FromMinor(minor int64, currency string) (Amount, error) {
	scale, ok := Decimals(currency)
	if !ok {
		return Amount{}, fmt.Errorf("money: %q is none of the supported currencies", currency)
	}
	return normalised(minor, scale), nil
}

// Parse reads the text of a JSON number: "2.5", "-0.01", "1500", "1e3".
func Parse(text string) (Amount, error) {
	fault := fmt.Errorf("money: %q is no decimal number", text)
	rest := strings.TrimPrefix(text, "-")
	mantissa, exponentText, hasExponent := strings.Cut(strings.ToLower(rest), "e")
	whole, fraction, hasPoint := strings.Cut(mantissa, ".")
	if !isDigits(whole) || (hasPoint && !isDigits(fraction)) || (len(whole) > 1 && whole[0] == '0') {
		return Amount{}, fault
	}
	exponent := 0
	if hasExponent {
		if !isDigits(strings.TrimLeft(exponentText, "+-")) {
			return Amount{}, fault
		}
		var err error
		if exponent, err = strconv.Atoi(exponentText); err != nil {
			return Amount{}, fault
		}
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	scale := len(fraction) - exponent
	for strings.HasSuffix(digits, "0") {
		digits = digits[:len(digits)-1]
		scale--
	}
	if digits == "" {
		return Amount{}, nil
	}
	if scale < -maxExponent || scale > maxExponent {
		return Amount{}, fmt.Errorf("money: %q is out of range", text)
	}
	if scale < 0 {
		digits += strings.Repeat("0", -scale)
		scale = 0
	}
	if len(rest) != len(text) {
		digits = "-" + digits
	}
	units, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return Amount{}, fmt.Errorf("money: %q is out of range", text)
	}
	return Amount{units, uint8(scale)}, nil
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

func normalised(units int64, scale int) Amount {
	for scale > 0 && units%10 == 0 {
		units /= 10
		scale--
	}
	return Amount{units, uint8(scale)}
}

// Minor returns the amount in whole minor units of a currency: 2.5 is 250 in BRL. It returns an error when the amount
// has more decimals than the currency, or more minor units than an int64 can hold. It never rounds.
func (a Amount) Minor(currency string) (int64, error) {
	places, ok := Decimals(currency)
	if !ok {
		return 0, fmt.Errorf("money: %q is none of the supported currencies", currency)
	}
	if int(a.scale) > places {
		return 0, fmt.Errorf("money: %s has more decimals than %s", a, currency)
	}
	minor := a.units
	for i := int(a.scale); i < places; i++ {
		if minor > math.MaxInt64/10 || minor < math.MinInt64/10 {
			return 0, fmt.Errorf("money: %s is out of range", a)
		}
		minor *= 10
	}
	return minor, nil
}

// String returns the shortest exact decimal: "2.5", "1500", "-0.01".
func (a Amount) String() string {
	return a.Fixed(0)
}

// Fixed returns the decimal with at least this many decimals: "2.50" for 2.
func (a Amount) Fixed(places int) string {
	sign, digits := "", strconv.FormatInt(a.units, 10)
	if a.units < 0 {
		sign, digits = "-", digits[1:]
	}
	scale := int(a.scale)
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale+1-len(digits)) + digits
	}
	fraction := digits[len(digits)-scale:]
	if len(fraction) < places {
		fraction += strings.Repeat("0", places-len(fraction))
	}
	if fraction == "" {
		return sign + digits
	}
	return sign + digits[:len(digits)-scale] + "." + fraction
}

// MarshalJSON writes a JSON number in its shortest form.
func (a Amount) MarshalJSON() ([]byte, error) {
	return []byte(a.String()), nil
}

// UnmarshalJSON reads the text of a JSON number, never a floating-point value. As with other types, null changes
// nothing.
func (a *Amount) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	parsed, err := Parse(string(text))
	if err == nil {
		*a = parsed
	}
	return err
}
