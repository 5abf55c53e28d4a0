package money

import (
	"encoding/json"
	"math"
	"testing"
)

func TestAnAmountIsReadByItsTextAndPrintedInItsShortestForm(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.00": "0", "2.5": "2.5", "2.50": "2.5", "1500": "1500", "100": "100", "0.01": "0.01",
		"-0.01": "-0.01", "-12.30": "-12.3", "1e3": "1000", "25E-1": "2.5", "1.5e+1": "15", "9999999999.99": "9999999999.99",
		"0.1": "0.1", "4.35": "4.35", "9223372036854775807": "9223372036854775807",
		"-9223372036854775808": "-9223372036854775808", "0e999": "0",
	} {
		amount, err := Parse(text)
		if err != nil || amount.String() != want {
			t.Errorf("Parse(%q) = %s, %v; want %s", text, amount, err, want)
		}
	}
}

func TestWhatIsNoDecimalNumberIsRefused(t *testing.T) {
	for _, text := range []string{
		"", "-", "+1", ".5", "5.", "1,5", "1.2.3", "01", "0x10", "1e", "1e+-2", "NaN", "Infinity", " 1", "1 ", "1_000", "٣",
		`"2.5"`, "1e31", "1e-31", "1e99999999999999999999", "9223372036854775808", "--1",
	} {
		if amount, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %s; want an error", text, amount)
		}
	}
}

func TestMinorUnitsFollowTheCurrency(t *testing.T) {
	for _, c := range []struct {
		text, currency string
		minor          int64
	}{{"2.5", "BRL", 250}, {"0.01", "USD", 1}, {"1500", "CLP", 1500}, {"-7", "PEN", -700}, {"4.35", "MXN", 435}} {
		amount, _ := Parse(c.text)
		if minor, err := amount.Minor(c.currency); err != nil || minor != c.minor {
			t.Errorf("%s %s = %d, %v; want %d", c.text, c.currency, minor, err, c.minor)
		}
		if back, err := FromMinor(c.minor, c.currency); err != nil || back != amount {
			t.Errorf("FromMinor(%d, %s) = %s, %v", c.minor, c.currency, back, err)
		}
	}
	for text, currency := range map[string]string{"0.001": "BRL", "0.5": "CLP", "1": "EUR", "9223372036854775807": "BRL"} {
		amount, _ := Parse(text)
		if minor, err := amount.Minor(currency); err == nil {
			t.Errorf("%s %s = %d; want an error", text, currency, minor)
		}
	}
	if _, err := FromMinor(1, "XXX"); err == nil {
		t.Error("an unknown currency must be refused")
	}
}

func TestFixedPrintsAtLeastThatManyDecimals(t *testing.T) {
	for minor, want := range map[int64]string{250: "2.50", 0: "0.00", -1: "-0.01", 100: "1.00", math.MinInt64: "-92233720368547758.08"} {
		amount, _ := FromMinor(minor, "BRL")
		if got := amount.Fixed(2); got != want {
			t.Errorf("%d: %s; want %s", minor, got, want)
		}
	}
}

func TestJSONHasNumbers(t *testing.T) {
	var read struct {
		Amount  Amount
		Balance *Amount
	}
	if err := json.Unmarshal([]byte(`{"Amount":90071992547409.93,"Balance":null}`), &read); err != nil {
		t.Fatal(err)
	}
	if read.Amount.String() != "90071992547409.93" || read.Balance != nil {
		t.Errorf("read %+v", read)
	}
	if written, err := json.Marshal(read); err != nil || string(written) != `{"Amount":90071992547409.93,"Balance":null}` {
		t.Errorf("written %s, %v", written, err)
	}
	if err := json.Unmarshal([]byte(`{"Amount":"2.5"}`), &read); err == nil {
		t.Error("a string is no amount")
	}
}
