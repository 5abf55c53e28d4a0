package wallet_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"aggregator.example/kits/go/signing"
	"aggregator.example/kits/go/wallet"
	"aggregator.example/kits/go/wallet/storagetest"
)

func TestMemory(t *testing.T) {
	storagetest.Run(t, func(*testing.T) storagetest.Books { return wallet.NewMemory() })
}

type fields = storagetest.Callback

func ok(balance string) string { return `{"ok":true,"balance":` + balance + `}` }
func no(code string) string    { return `{"ok":false,"error":"` + code + `"}` }

// exchange is a callback and its answer. The callback is about the player ana of the merchant shop, unless it names
// another player or merchant.
type exchange struct {
	callback fields
	answer   string
}

func tx(action, id string, amount any, more ...string) fields {
	callback := fields{"action": action, "tx_id": id, "amount": amount}
	if len(more) > 0 {
		callback["ref_tx_id"] = more[0]
	}
	return callback
}

func with(callback fields, name string, value any) fields {
	callback[name] = value
	return callback
}

// Each history begins with three players: ana with 10.00, rui with 10.00 and blocked, and ana with 10.00 at the
// merchant other.
var histories = map[string][]exchange{
	"each action moves what it says": {
		{fields{"action": "balance"}, ok("10")},
		{tx("bet", "b", 2.5), ok("7.5")},
		{tx("win", "w", 0.01), ok("7.51")},
		{tx("refund", "f", 2.5, "b"), ok("10.01")},
		{tx("rollback", "r", 0.01, "w"), ok("10")},
		{fields{"action": "balance"}, ok("10")},
	},
	"a repeat gets the stored reply and changes nothing": {
		{tx("bet", "b", 10), ok("0")},
		{tx("win", "w", 5), ok("5")},
		{tx("bet", "b", 10), ok("0")},
		{tx("bet", "b", 3), ok("0")},
		{tx("win", "w", 5), ok("5")},
		{fields{"action": "balance"}, ok("5")},
	},
	"the rejection of a bet is kept": {
		{tx("bet", "b", 10.01), no("INSUFFICIENT_FUNDS")},
		{tx("win", "w", 1), ok("11")},
		{tx("bet", "b", 10.01), no("INSUFFICIENT_FUNDS")},
		{with(tx("bet", "b2", 1), "player_id", "nobody"), no("PLAYER_NOT_FOUND")},
		{tx("bet", "b2", 1), no("PLAYER_NOT_FOUND")},
		{with(tx("bet", "b3", 0.001), "currency", "EUR"), no("CURRENCY_MISMATCH")},
		{tx("bet", "b3", 1), no("CURRENCY_MISMATCH")},
	},
	"the rejection of a win or refund is judged anew": {
		{with(tx("win", "w", 1), "player_id", "nobody"), no("PLAYER_NOT_FOUND")},
		{with(tx("win", "w", 1), "currency", "USD"), no("CURRENCY_MISMATCH")},
		{tx("win", "w", 1), ok("11")},
		{with(tx("win", "w", 1), "currency", "USD"), ok("11")},
		{tx("bet", "b", 1), ok("10")},
		{tx("refund", "f", 2, "b"), no("AMOUNT_MISMATCH")},
		{tx("refund", "f", 0.5, "b"), no("AMOUNT_MISMATCH")},
		{tx("refund", "f", 1, "b"), ok("11")},
	},
	"the rejection of a rollback is kept, but for TRANSACTION_NOT_FOUND": {
		{tx("win", "w", 1), ok("11")},
		{tx("rollback", "r", 1, "x"), no("TRANSACTION_NOT_FOUND")},
		{tx("rollback", "r", 2, "w"), no("AMOUNT_MISMATCH")},
		{tx("rollback", "r", 1, "w"), no("AMOUNT_MISMATCH")},
		{with(tx("rollback", "r3", 1, "w"), "currency", "USD"), no("CURRENCY_MISMATCH")},
		{tx("rollback", "r3", 1, "w"), no("CURRENCY_MISMATCH")},
		{tx("rollback", "r2", 1, "w"), ok("10")},
	},
	"what was reversed before it came is refused for good": {
		{tx("refund", "f", 1, "b"), no("TRANSACTION_NOT_FOUND")},
		{with(tx("bet", "b", 1), "player_id", "nobody"), no("TRANSACTION_REVERSED")},
		{tx("bet", "b", 1), no("TRANSACTION_REVERSED")},
		{tx("refund", "f", 1, "b"), no("TRANSACTION_NOT_FOUND")},
		{tx("rollback", "r", 1, "w"), no("TRANSACTION_NOT_FOUND")},
		{tx("win", "w", 1), no("TRANSACTION_REVERSED")},
		{tx("win", "w", 1), no("TRANSACTION_REVERSED")},
		{fields{"action": "balance"}, ok("10")},
	},
	"a transaction is reversed once, and stays reversed": {
		{tx("bet", "b", 1), ok("9")},
		{tx("refund", "f", 1, "b"), ok("10")},
		{tx("refund", "f2", 1, "b"), no("ALREADY_REVERSED")},
		{tx("refund", "f3", 2, "b"), no("AMOUNT_MISMATCH")},
		{tx("bet", "b", 1), ok("9")},
		{fields{"action": "balance"}, ok("10")},
	},
	"a reversal must fit what it reverses": {
		{tx("bet", "b", 1), ok("9")},
		{tx("win", "w", 1), ok("10")},
		{tx("refund", "f1", 1, "w"), no("TRANSACTION_NOT_FOUND")},
		{tx("rollback", "r1", 1, "b"), no("TRANSACTION_NOT_FOUND")},
		{with(tx("refund", "f2", 1, "b"), "player_id", "rui"), no("TRANSACTION_NOT_FOUND")},
		{tx("refund", "f3", 1, "f3"), no("TRANSACTION_NOT_FOUND")},
		{tx("bet", "b9", 99), no("INSUFFICIENT_FUNDS")},
		{tx("refund", "f4", 99, "b9"), no("TRANSACTION_NOT_FOUND")},
		{tx("refund", "f5", 1, "b"), ok("11")},
		{tx("refund", "f6", 1, "f5"), no("TRANSACTION_NOT_FOUND")},
	},
	"a rollback may leave less than nothing": {
		{tx("win", "w", 5), ok("15")},
		{tx("bet", "b", 15), ok("0")},
		{tx("rollback", "r", 5, "w"), ok("-5")},
		{tx("bet", "b2", 0.01), no("INSUFFICIENT_FUNDS")},
		{tx("win", "w2", 4.99), ok("-0.01")},
	},
	"a blocked player can't bet, and gets wins and refunds": {
		{with(tx("bet", "b", 1), "player_id", "rui"), no("PLAYER_BLOCKED")},
		{with(tx("win", "w", 1), "player_id", "rui"), ok("11")},
		{with(tx("refund", "f", 1, "x"), "player_id", "rui"), no("TRANSACTION_NOT_FOUND")},
		{with(tx("rollback", "r", 1, "w"), "player_id", "rui"), ok("10")},
	},
	"the largest amount, and ids of any characters": {
		{tx("win", "w1", 9999999999.99), ok("10000000009.99")},
		{tx("bet", "b\\ \"\ufffd", 1), ok("10000000008.99")},
		{tx("bet", "b\U0001F3B0", 1), ok("10000000007.99")},
	},
	"a balance query is rejected by name": {
		{fields{"action": "balance", "currency": "USD"}, no("CURRENCY_MISMATCH")},
		{fields{"action": "balance", "player_id": "ANA"}, no("PLAYER_NOT_FOUND")},
	},
	"fields that are not known are ignored, also in another letter case": {
		{with(with(tx("win", "w", 1), "Amount", 900), "TX_ID", "x"), ok("11")},
		{with(tx("win", "w", 1), "Player_Id", "rui"), ok("11")},
	},
}

func TestTheRulesOfAWallet(t *testing.T) {
	for name, history := range histories {
		t.Run(name, func(t *testing.T) {
			w, books := open(t)
			for i, e := range history {
				if status, answer := storagetest.Send(w, "shop", storagetest.About("ana", e.callback)); status != 200 || answer != e.answer {
					t.Errorf("step %d, %v: %d %s; want %s", i+1, e.callback, status, answer, e.answer)
				}
			}
			other, err := books.Player(context.Background(), "other", "ana")
			if err != nil || other.Balance != 1000 {
				t.Errorf("another merchant's player has %+v, %v", other, err)
			}
		})
	}
}

func TestMerchantsHaveNothingInCommon(t *testing.T) {
	w, _ := open(t)
	for _, merchant := range []string{"shop", "other"} {
		for _, e := range []exchange{
			{tx("bet", "b", 1), ok("9")}, {tx("refund", "f", 2, "x"), no("TRANSACTION_NOT_FOUND")}, {tx("bet", "x", 2), no("TRANSACTION_REVERSED")},
		} {
			if _, answer := storagetest.Send(w, merchant, storagetest.About("ana", e.callback)); answer != e.answer {
				t.Errorf("%s: %s; want %s", merchant, answer, e.answer)
			}
		}
	}
}

func open(t *testing.T) (*wallet.Wallet, *wallet.Memory) {
	t.Helper()
	books := wallet.NewMemory()
	for _, err := range []error{
		books.AddPlayer(context.Background(), "shop", wallet.Player{ID: "ana", Balance: 1000}),
		books.AddPlayer(context.Background(), "shop", wallet.Player{ID: "rui", Balance: 1000, Blocked: true}),
		books.AddPlayer(context.Background(), "other", wallet.Player{ID: "ana", Balance: 1000}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return storagetest.NewWallet(t, books), books
}

// broken is a storage without a database.
type broken struct{ wallet.Storage }

func (broken) Player(context.Context, string, string) (*wallet.Player, error) {
	return nil, errors.New("password of the database is hunter2")
}
func (broken) Transact(context.Context, string, string, func(wallet.Tx) error) error {
	panic("hunter2")
}

func TestAFaultIsAnsweredWith500AndTellsNothing(t *testing.T) {
	w := storagetest.NewWallet(t, broken{})
	var log strings.Builder
	w.Log = slog.New(slog.NewTextHandler(&log, nil))
	for _, callback := range []fields{{"action": "balance"}, tx("bet", "b", 1)} {
		status, answer := storagetest.Send(w, "shop", storagetest.About("ana", callback))
		if status != 500 || answer != no("INTERNAL_ERROR") {
			t.Errorf("%d %s", status, answer)
		}
	}
	if strings.Count(log.String(), "hunter2") != 2 {
		t.Errorf("the log has %q", log.String())
	}
}

func TestOverHTTPTheBytesOfTargetAndBodyAreSigned(t *testing.T) {
	w, _ := open(t)
	w.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	server := httptest.NewServer(w)
	defer server.Close()
	body := "{ \"action\":\"balance\",\"player_id\":\"ana\",\n\"currency\":\"BRL\"}"
	send := func(method, body string, change func(http.Header)) (int, string) {
		t.Helper()
		request, err := http.NewRequest(method, server.URL+"/hooks/%7Ewallet?b=1&a=", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = signing.Sign("sk_test", "POST", "/hooks/%7Ewallet?b=1&a=", []byte(body))
		request.Header.Set(signing.HeaderMerchant, "shop")
		change(request.Header)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(text)
	}
	keep := func(http.Header) {}
	for name, c := range map[string]struct {
		method, body string
		change       func(http.Header)
		status       int
		answer       string
	}{
		"genuine":                {"POST", body, keep, 200, ok("10")},
		"no JSON":                {"POST", "no JSON", keep, 400, no("INVALID_REQUEST")},
		"unknown merchant":       {"POST", body, func(h http.Header) { h.Set(signing.HeaderMerchant, "none") }, 401, no("INVALID_SIGNATURE")},
		"no merchant":            {"POST", body, func(h http.Header) { h.Del(signing.HeaderMerchant) }, 401, no("INVALID_SIGNATURE")},
		"another time":           {"POST", body, func(h http.Header) { h.Set(signing.HeaderTimestamp, "1767225600000") }, 401, no("INVALID_SIGNATURE")},
		"no signature":           {"POST", body, func(h http.Header) { h.Del(signing.HeaderSignature) }, 401, no("INVALID_SIGNATURE")},
		"another method":         {"PUT", body, keep, 405, no("METHOD_NOT_ALLOWED")},
		"more than any callback": {"POST", strings.Repeat(" ", 70_000), keep, 413, no("PAYLOAD_TOO_LARGE")},
	} {
		if status, answer := send(c.method, c.body, c.change); status != c.status || answer != c.answer {
			t.Errorf("%s: %d %s; want %d %s", name, status, answer, c.status, c.answer)
		}
	}
}

func TestTheClockOfTheWalletCounts(t *testing.T) {
	w, _ := open(t)
	w.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	for off, want := range map[time.Duration]int{4 * time.Minute: 200, -4 * time.Minute: 200, 6 * time.Minute: 401, -6 * time.Minute: 401} {
		w.Now = func() time.Time { return time.Now().Add(off) }
		if status, _ := storagetest.Send(w, "shop", storagetest.About("ana", fields{"action": "balance"})); status != want {
			t.Errorf("%s off: %d; want %d", off, status, want)
		}
	}
}
