package wallet_test

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"

	"aggregator.example/kits/go/signing"
	"aggregator.example/kits/go/wallet"
	"aggregator.example/kits/go/wallet/storagetest"
)

func TestMerchantsThatCannotWorkAreRefused(t *testing.T) {
	right := wallet.Merchant{Code: "shop", Secrets: []string{"s"}, Currency: "BRL"}
	for _, list := range [][]wallet.Merchant{
		{right, right},
		{{Code: "shop", Secrets: []string{"s"}, Currency: "EUR"}},
		{{Code: "shop", Currency: "BRL"}},
		{{Code: "shop", Secrets: []string{"s", ""}, Currency: "BRL"}},
		{{Secrets: []string{"s"}, Currency: "BRL"}},
	} {
		if _, err := wallet.Fixed(list...); err == nil {
			t.Errorf("%+v was accepted", list)
		}
	}
}

func TestALookedUpMerchantIsChecked(t *testing.T) {
	body := []byte(`{"action":"balance","player_id":"ana","currency":"BRL"}`)
	for _, m := range []wallet.Merchant{
		{Code: "shop", Secrets: []string{""}, Currency: "BRL"},
		{Code: "shop", Secrets: []string{"sk", ""}, Currency: "BRL"},
		{Code: "shop", Currency: "BRL"},
		{Code: "shop", Secrets: []string{"sk"}, Currency: "EUR"},
	} {
		w := wallet.New(func(context.Context, string) (*wallet.Merchant, error) { return &m, nil }, wallet.NewMemory())
		var log strings.Builder
		w.Log = slog.New(slog.NewTextHandler(&log, nil))
		for _, secret := range []string{"", "sk"} {
			header := signing.Sign(secret, "POST", "/wallet", body)
			header.Set(signing.HeaderMerchant, "shop")
			response := w.Handle(context.Background(), wallet.Request{Method: "POST", Target: "/wallet", Header: header, Body: body})
			if response.Status != 500 || string(response.Body) != no("INTERNAL_ERROR") {
				t.Errorf("%+v: %d %s", m, response.Status, response.Body)
			}
		}
		if !strings.Contains(log.String(), "shop") {
			t.Errorf("the log does not name the merchant: %q", log.String())
		}
	}
}

func TestAWrongSignatureIs503WhileTheSecretChangesAtOnce(t *testing.T) {
	w, target := changing(t), "/hooks/wallet"
	w.Target = target
	body := toJSON(storagetest.About("ana", fields{"action": "balance"}))
	for _, c := range []struct {
		merchant, secret, target string
		status                   int
	}{
		{"shop", "sk_new", target, 503},
		{"shop", "sk", target, 200},
		{"shop", "sk", "/internal/wallet", 503},
		{"unknown", "sk", target, 401},
	} {
		header := signing.Sign(c.secret, "POST", c.target, body)
		header.Set(signing.HeaderMerchant, c.merchant)
		request := wallet.Request{Method: "POST", Target: "/internal/wallet", Header: header, Body: body}
		if response := w.Handle(context.Background(), request); response.Status != c.status {
			t.Errorf("%+v: %d %s", c, response.Status, response.Body)
		}
	}
}

// changing is a wallet whose merchant gets a new secret at once.
func changing(t *testing.T) *wallet.Wallet {
	t.Helper()
	_, books := open(t)
	merchants, err := wallet.Fixed(wallet.Merchant{Code: "shop", Secrets: []string{"sk"}, Currency: "BRL", Answer503: true})
	if err != nil {
		t.Fatal(err)
	}
	w := wallet.New(merchants, books)
	w.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	return w
}
