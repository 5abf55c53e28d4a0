package storagetest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"aggregator.example/kits/go/signing"
	"aggregator.example/kits/go/wallet"
)

const secret = "sk_test"

// Callback has the fields of a callback's body.
type Callback map[string]any

// About returns a callback about a player, with the fields that every callback has.
func About(player string, more Callback) Callback {
	callback := Callback{"player_id": player, "currency": "BRL", "provider": "ACME", "game": "fruits", "round_id": "r"}
	for name, value := range more {
		callback[name] = value
	}
	return callback
}

// NewWallet makes a wallet with this storage and with the merchants shop and other, both in BRL.
func NewWallet(t *testing.T, books wallet.Storage) *wallet.Wallet {
	t.Helper()
	merchants, err := wallet.Fixed(
		wallet.Merchant{Code: "shop", Secrets: []string{secret}, Currency: "BRL"},
		wallet.Merchant{Code: "other", Secrets: []string{secret}, Currency: "BRL"},
	)
	must(t, err)
	return wallet.New(merchants, books)
}

// Send sends a signed callback and returns the answer's status and body.
func Send(w *wallet.Wallet, merchant string, callback Callback) (int, string) {
	body, err := json.Marshal(callback)
	if err != nil {
		panic(err)
	}
	return SendBody(w, merchant, body)
}

// SendBody sends any body, like Send.
func SendBody(w *wallet.Wallet, merchant string, body []byte) (int, string) {
	header := signing.Sign(secret, http.MethodPost, "/wallet", body)
	header.Set(signing.HeaderMerchant, merchant)
	response := w.Handle(context.Background(), wallet.Request{Method: http.MethodPost, Target: "/wallet", Header: header, Body: body})
	return response.Status, string(response.Body)
}

// atOnce sends all callbacks at the same time and counts the answers by body.
func atOnce(t *testing.T, books Books, callbacks []Callback) map[string]int {
	t.Helper()
	w := NewWallet(t, books)
	answers := make([]string, len(callbacks))
	var group sync.WaitGroup
	for i, callback := range callbacks {
		group.Add(1)
		go func() {
			defer group.Done()
			status, body := Send(w, "shop", callback)
			answers[i] = fmt.Sprintf("%d %s", status, body)
		}()
	}
	ended := make(chan struct{})
	go func() {
		group.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the callbacks are not answered")
	}
	counts := map[string]int{}
	for _, answer := range answers {
		counts[answer]++
	}
	return counts
}

func times(n int, make func(i int) Callback) []Callback {
	all := []Callback{}
	for i := 0; i < n; i++ {
		all = append(all, make(i))
	}
	return all
}

func betOf(player string, id any, amount float64) Callback {
	return About(player, Callback{"action": "bet", "tx_id": fmt.Sprint("ACME:b", id), "amount": amount})
}

func refundOf(player string, id, ref any, amount float64) Callback {
	return About(player, Callback{"action": "refund", "tx_id": fmt.Sprint("ACME:f", id), "ref_tx_id": fmt.Sprint("ACME:b", ref), "amount": amount})
}

func parallelBets(t *testing.T, books Books) {
	add(t, books, "shop", "ana", 3000)
	counts := atOnce(t, books, times(50, func(i int) Callback { return betOf("ana", i, 1) }))
	if n := counts[`200 {"ok":false,"error":"INSUFFICIENT_FUNDS"}`]; n != 20 || len(counts) != 31 {
		t.Errorf("answers: %v", counts)
	}
	balanceIs(t, books, "shop", "ana", 0)
}

func parallelCopies(t *testing.T, books Books) {
	add(t, books, "shop", "ana", 1000)
	counts := atOnce(t, books, times(50, func(int) Callback { return betOf("ana", 1, 2.5) }))
	if counts[`200 {"ok":true,"balance":7.5}`] != 50 {
		t.Errorf("answers: %v", counts)
	}
	balanceIs(t, books, "shop", "ana", 750)
}

func parallelRefunds(t *testing.T, books Books) {
	add(t, books, "shop", "ana", 1000)
	atOnce(t, books, []Callback{betOf("ana", 1, 2.5)})
	counts := atOnce(t, books, times(10, func(i int) Callback { return refundOf("ana", i, 1, 2.5) }))
	if counts[`200 {"ok":true,"balance":10}`] != 1 || counts[`200 {"ok":false,"error":"ALREADY_REVERSED"}`] != 9 {
		t.Errorf("answers: %v", counts)
	}
	balanceIs(t, books, "shop", "ana", 1000)
}

func betAndRefund(t *testing.T, books Books) {
	add(t, books, "shop", "ana", 1000)
	var both []Callback
	for i := 0; i < 15; i++ {
		both = append(both, betOf("ana", i, 0.1), refundOf("ana", i, i, 0.1))
	}
	atOnce(t, books, both)
	// In either order the balance is the same: the bet was refunded, or it was never debited.
	balanceIs(t, books, "shop", "ana", 1000)
}

func parallelPlayers(t *testing.T, books Books) {
	ids := []string{"ana", "rui", "eva", "leo"}
	var bets []Callback
	for _, id := range ids {
		add(t, books, "shop", id, 1000)
		bets = append(bets, betOf(id, 1, 2.5))
	}
	counts := atOnce(t, books, bets)
	if counts[`200 {"ok":true,"balance":7.5}`] != len(ids) {
		t.Errorf("answers: %v", counts)
	}
	var sum int64
	for _, id := range ids {
		player, err := books.Player(context.Background(), "shop", id)
		must(t, err)
		sum += player.Balance
	}
	if sum != int64(len(ids))*1000-250 {
		t.Errorf("the players have %d; one of them has paid 250", sum)
	}
}

func manyPlayers(t *testing.T, books Books) {
	var all []Callback
	for i := 0; i < 10; i++ {
		player := fmt.Sprint("player-", i)
		add(t, books, "shop", player, 0)
		for j := 0; j < 5; j++ {
			id := fmt.Sprintf("ACME:w%d-%d", i, j)
			all = append(all, About(player, Callback{"action": "win", "tx_id": id, "amount": 1.01}))
		}
	}
	atOnce(t, books, all)
	for i := 0; i < 10; i++ {
		balanceIs(t, books, "shop", fmt.Sprint("player-", i), 505)
	}
}
