// Package storagetest checks an implementation of wallet.Storage. Call Run in your test.
package storagetest

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"aggregator.example/kits/go/wallet"
)

// Books is a storage to which a test can add players.
type Books interface {
	wallet.Storage
	// AddPlayer stores a player, unless a player with this id exists.
	AddPlayer(ctx context.Context, merchant string, player wallet.Player) error
}

// Run checks a storage. Each call of open returns an empty storage.
func Run(t *testing.T, open func(t *testing.T) Books) {
	for name, check := range map[string]func(*testing.T, Books){
		"a player is found by merchant and id":               players,
		"a transaction is stored as it was":                  stored,
		"work that fails leaves nothing":                     failed,
		"work that panics leaves nothing":                    panicked,
		"a transaction id is unique at its merchant":         uniqueIDs,
		"a transaction is reversed once":                     uniqueReversals,
		"a rejection reverses nothing":                       rejections,
		"a tombstone stays":                                  tombstones,
		"ids are compared byte by byte":                      bytes,
		"ids may be long":                                    longIDs,
		"of 50 bets at once 30 fit the balance":              parallelBets,
		"50 copies of a bet at once are one bet":             parallelCopies,
		"of 10 refunds of a bet at once one is given":        parallelRefunds,
		"a bet and its refund at once leave the balance":     betAndRefund,
		"a transaction id at once for two players is one":    parallelPlayers,
		"transactions of many players at once are all there": manyPlayers,
	} {
		t.Run(name, func(t *testing.T) { check(t, open(t)) })
	}
}

// must fails the test when err is not nil.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func add(t *testing.T, books Books, merchant, id string, balance int64) {
	t.Helper()
	must(t, books.AddPlayer(context.Background(), merchant, wallet.Player{ID: id, Balance: balance}))
}

// balanceIs asserts a player's balance.
func balanceIs(t *testing.T, books Books, merchant, id string, want int64) {
	t.Helper()
	player, err := books.Player(context.Background(), merchant, id)
	must(t, err)
	if player == nil || player.Balance != want {
		t.Errorf("%s/%s is %+v; want a balance of %d", merchant, id, player, want)
	}
}

// within runs work in a storage transaction about the player ana of the merchant shop.
func within(t *testing.T, books Books, work func(wallet.Tx) error) {
	t.Helper()
	must(t, books.Transact(context.Background(), "shop", "ana", work))
}

func players(t *testing.T, books Books) {
	ctx := context.Background()
	for _, playerID := range []string{"ana", "ANA"} {
		if player, err := books.Player(ctx, "shop", playerID); player != nil || err != nil {
			t.Errorf("found %+v, %v", player, err)
		}
	}
	add(t, books, "shop", "ana", -250)
	add(t, books, "other", "ana", 9_223_372_036_854_775_807)
	must(t, books.AddPlayer(ctx, "shop", wallet.Player{ID: "rui", Blocked: true}))
	add(t, books, "shop", "ana", 999)
	balanceIs(t, books, "shop", "ana", -250)
	balanceIs(t, books, "other", "ana", 9_223_372_036_854_775_807)
	player, err := books.Player(ctx, "shop", "rui")
	must(t, err)
	if player == nil || *player != (wallet.Player{ID: "rui", Blocked: true}) {
		t.Errorf("found %+v", player)
	}
	must(t, books.Transact(ctx, "shop", "nobody", func(tx wallet.Tx) error {
		if tx.Player() != nil || tx.SetBalance(1) == nil {
			t.Error("there is no player of this id")
		}
		return nil
	}))
}

var bet = wallet.Transaction{TxID: "ACME:b", Action: "bet", PlayerID: "ana", Amount: 250, Applied: true, Reply: []byte(`{"ok":true,"balance":7.5}`)}
var refund = wallet.Transaction{TxID: "ACME:f", Action: "refund", PlayerID: "ana", Amount: 250, RefTxID: "ACME:b", Applied: true, Reply: []byte(`{"ok":true,"balance":10}`)}

func stored(t *testing.T, books Books) {
	add(t, books, "shop", "ana", 1000)
	within(t, books, func(tx wallet.Tx) error {
		return errors.Join(tx.SetBalance(750), tx.Record(bet), tx.Record(refund))
	})
	balanceIs(t, books, "shop", "ana", 750)
	within(t, books, func(tx wallet.Tx) error {
		for _, want := range []wallet.Transaction{bet, refund} {
			got, err := tx.Transaction(want.TxID)
			if err != nil {
				return err
			}
			if got == nil || !reflect.DeepEqual(*got, want) {
				t.Errorf("stored %+v; want %+v", got, want)
			}
		}
		if got, err := tx.Transaction("ACME:x"); got != nil || err != nil {
			t.Errorf("found %+v, %v", got, err)
		}
		return nil
	})
}

// nothingThere asserts that the test stored nothing.
func nothingThere(t *testing.T, books Books) {
	t.Helper()
	balanceIs(t, books, "shop", "ana", 1000)
	within(t, books, func(tx wallet.Tx) error {
		found, err := tx.Transaction(bet.TxID)
		isTombstone, tombstoneErr := tx.IsTombstone("ACME:t")
		if found != nil || isTombstone {
			t.Errorf("found %+v, tombstone %t", found, isTombstone)
		}
		return errors.Join(err, tombstoneErr)
	})
}

func everything(tx wallet.Tx) error {
	return errors.Join(tx.SetBalance(750), tx.Record(bet), tx.AddTombstone("ACME:t"))
}

func failed(t *testing.T, books Books) {
	add(t, books, "shop", "ana", 1000)
	fault := errors.New("a fault")
	err := books.Transact(context.Background(), "shop", "ana", func(tx wallet.Tx) error {
		must(t, everything(tx))
		return fault
	})
	if !errors.Is(err, fault) {
		t.Errorf("got %v", err)
	}
	nothingThere(t, books)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if books.Transact(ended, "shop", "ana", everything) == nil {
		t.Error("a context that has ended must stop the work")
	}
	nothingThere(t, books)
}

func panicked(t *testing.T, books Books) {
	add(t, books, "shop", "ana", 1000)
	func() {
		defer func() { _ = recover() }()
		_ = books.Transact(context.Background(), "shop", "ana", func(tx wallet.Tx) error {
			must(t, everything(tx))
			panic("a fault")
		})
	}()
	nothingThere(t, books)
}

// refused asserts that a transaction can't be recorded.
func refused(t *testing.T, books Books, transaction wallet.Transaction) {
	t.Helper()
	err := books.Transact(context.Background(), "shop", "ana", func(tx wallet.Tx) error { return tx.Record(transaction) })
	if err == nil {
		t.Errorf("%+v was recorded", transaction)
	}
}

func uniqueIDs(t *testing.T, books Books) {
	within(t, books, func(tx wallet.Tx) error { return tx.Record(bet) })
	again := bet
	again.PlayerID = "rui"
	refused(t, books, again)
	must(t, books.Transact(context.Background(), "other", "ana", func(tx wallet.Tx) error { return tx.Record(bet) }))
}

func uniqueReversals(t *testing.T, books Books) {
	within(t, books, func(tx wallet.Tx) error { return tx.Record(refund) })
	second := refund
	second.TxID = "ACME:f2"
	refused(t, books, second)
	within(t, books, func(tx wallet.Tx) error {
		for ref, want := range map[string]bool{refund.RefTxID: true, "ACME:x": false} {
			if is, err := tx.IsReversed(ref); is != want || err != nil {
				t.Errorf("%s is reversed: %t, %v", ref, is, err)
			}
		}
		return nil
	})
	must(t, books.Transact(context.Background(), "other", "ana", func(tx wallet.Tx) error { return tx.Record(second) }))
}

func rejections(t *testing.T, books Books) {
	within(t, books, func(tx wallet.Tx) error {
		for _, id := range []string{"ACME:r1", "ACME:r2"} {
			must(t, tx.Record(wallet.Transaction{TxID: id, Action: "rollback", PlayerID: "nobody", Reply: []byte(`{"ok":false}`)}))
		}
		return nil
	})
	within(t, books, func(tx wallet.Tx) error {
		found, err := tx.Transaction("ACME:r2")
		if found == nil || found.Applied || found.RefTxID != "" {
			t.Errorf("found %+v", found)
		}
		return err
	})
}

func tombstones(t *testing.T, books Books) {
	for range [2]int{} {
		within(t, books, func(tx wallet.Tx) error { return tx.AddTombstone("ACME:b") })
	}
	within(t, books, func(tx wallet.Tx) error {
		for id, want := range map[string]bool{"ACME:b": true, "ACME:B": false} {
			if is, err := tx.IsTombstone(id); is != want || err != nil {
				t.Errorf("%s has a tombstone: %t, %v", id, is, err)
			}
		}
		return nil
	})
	must(t, books.Transact(context.Background(), "other", "ana", func(tx wallet.Tx) error {
		if is, err := tx.IsTombstone("ACME:b"); is || err != nil {
			t.Errorf("another merchant's tombstone counts: %v", err)
		}
		return nil
	}))
}

func bytes(t *testing.T, books Books) {
	ids := []string{"a", "A", "á", "a\u0301", "a ", " a", "00", "0", "🎰", "'\";--\\%_/?$1"}
	for _, id := range ids {
		add(t, books, "shop", id, int64(len(id)))
		one := bet
		one.TxID, one.Reply = id, []byte(id)
		within(t, books, func(tx wallet.Tx) error { return tx.Record(one) })
	}
	for _, id := range ids {
		balanceIs(t, books, "shop", id, int64(len(id)))
		within(t, books, func(tx wallet.Tx) error {
			found, err := tx.Transaction(id)
			if found == nil || string(found.Reply) != id {
				t.Errorf("%q: found %+v", id, found)
			}
			return err
		})
	}
}

func longIDs(t *testing.T, books Books) {
	player, id := strings.Repeat("🎰", 128), strings.Repeat("x", 127)
	add(t, books, "shop", player, 5)
	balanceIs(t, books, "shop", player, 5)
	for _, last := range []string{"a", "b"} {
		long := refund
		long.TxID, long.RefTxID, long.PlayerID = id+last, id+last, player
		within(t, books, func(tx wallet.Tx) error { return tx.Record(long) })
	}
}
