// Package wallet answers the aggregator's callbacks by the rules of a wallet: it checks the signature, applies each
// transaction once, and keeps the reply for repeats. The rules do not depend on HTTP, except for its headers. Wallet is
// also an http.Handler.
package wallet

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"aggregator.example/kits/go/money"
	"aggregator.example/kits/go/signing"
)

// Merchant is one of your merchants, with the values that you got from the aggregator.
type Merchant struct {
	Code string
	// Secrets has the merchant's secret. During a change of the secret it has both secrets.
	Secrets []string
	// Currency is one of BRL, MXN, ARS, COP, CLP, PEN, USD.
	Currency string
}

// Merchants finds one of your merchants by its code; nil: the code is unknown. Each callback calls it, so a new secret
// is valid at once.
type Merchants func(ctx context.Context, code string) (*Merchant, error)

// Fixed returns a Merchants with a fixed list. The error names the fault of a merchant.
func Fixed(merchants ...Merchant) (Merchants, error) {
	byCode := map[string]*Merchant{}
	for i := range merchants {
		m := merchants[i]
		if _, ok := money.Decimals(m.Currency); !ok {
			return nil, fmt.Errorf("wallet: merchant %q: currency %q is not supported", m.Code, m.Currency)
		}
		if m.Code == "" || byCode[m.Code] != nil {
			return nil, fmt.Errorf("wallet: merchant %q: each merchant needs a code of its own", m.Code)
		}
		if len(m.Secrets) == 0 || slices.Contains(m.Secrets, "") {
			return nil, fmt.Errorf("wallet: merchant %q: a secret is missing or empty", m.Code)
		}
		byCode[m.Code] = &m
	}
	return func(_ context.Context, code string) (*Merchant, error) { return byCode[code], nil }, nil
}

// Wallet answers callbacks. It is safe for concurrent use.
type Wallet struct {
	merchants Merchants
	storage   Storage
	// Log receives errors. It is slog.Default() unless you set it before the first callback.
	Log *slog.Logger
	// Now is the clock that timestamps are checked against. It is time.Now unless you set it before the first callback.
	Now func() time.Time
}

// New makes a wallet.
func New(merchants Merchants, storage Storage) *Wallet {
	return &Wallet{merchants: merchants, storage: storage, Log: slog.Default(), Now: time.Now}
}

// Request is a callback as it was received.
type Request struct {
	Method string
	// Target is path and query of the request line, as sent. The signature covers it.
	Target string
	Header http.Header
	// Body has the raw bytes, before any parser.
	Body []byte
}

// Response is the answer. Send Body unchanged, with the content type application/json.
type Response struct {
	Status int
	Body   []byte
}

// Handle answers a callback. An error of the storage is logged and answered with 500. The aggregator reads it as
// "unknown": it asks again or takes the money back.
func (w *Wallet) Handle(ctx context.Context, r Request) Response {
	response, err := w.handle(ctx, r)
	if err != nil {
		w.Log.ErrorContext(ctx, "wallet: a callback failed", "merchant", r.Header.Get(signing.HeaderMerchant), "error", err)
		return Response{http.StatusInternalServerError, rejected("INTERNAL_ERROR")}
	}
	return response
}

func (w *Wallet) handle(ctx context.Context, r Request) (response Response, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	merchant, err := w.merchant(ctx, r.Header)
	if err != nil {
		return Response{}, err
	}
	if merchant == nil {
		return Response{http.StatusUnauthorized, rejected("INVALID_SIGNATURE")}, nil
	}
	if fault := signing.Verify(merchant.Secrets, r.Header, r.Method, r.Target, r.Body, w.Now()); fault != nil {
		w.Log.WarnContext(ctx, "wallet: a callback was refused", "merchant", merchant.Code, "fault", fault)
		return Response{http.StatusUnauthorized, rejected("INVALID_SIGNATURE")}, nil
	}
	body, err := w.answer(ctx, merchant, r.Body)
	return Response{http.StatusOK, body}, err
}

// merchant finds the merchant that the callback names; nil when it is unknown.
func (w *Wallet) merchant(ctx context.Context, header http.Header) (*Merchant, error) {
	codes := header.Values(signing.HeaderMerchant)
	if len(codes) != 1 {
		return nil, nil
	}
	return w.merchants(ctx, codes[0])
}

// answer returns the reply to a genuine callback.
func (w *Wallet) answer(ctx context.Context, m *Merchant, body []byte) (reply []byte, err error) {
	c, err := readCallback(body)
	if err != nil {
		return nil, err
	}
	switch {
	case c.playerID == "":
		return rejected(InvalidRequest), nil
	case c.action == ActionBalance:
		return w.balance(ctx, m, c)
	case c.action != ActionBet && c.action != ActionWin && !c.isReversal():
		return rejected(InvalidRequest), nil
	case c.txID == "" || c.isReversal() && c.refTxID == "":
		return rejected(InvalidRequest), nil
	}
	err = w.storage.Transact(ctx, m.Code, c.playerID, func(tx Tx) (err error) {
		reply, err = judge(tx, m.Currency, c)
		return err
	})
	return reply, err
}

func (w *Wallet) balance(ctx context.Context, m *Merchant, c callback) ([]byte, error) {
	if c.currency != m.Currency {
		return rejected(InvalidCurrency), nil
	}
	player, err := w.storage.Player(ctx, m.Code, c.playerID)
	if err != nil {
		return nil, err
	}
	if player == nil {
		return rejected(PlayerNotFound), nil
	}
	return accepted(player.Balance, m.Currency)
}
