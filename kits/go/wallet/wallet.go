// Package wallet answers the aggregator's callbacks by the rules of a wallet: it checks the signature, applies each
// transaction once, and keeps the reply for repeats. The rules do not depend on HTTP, except for its headers. Wallet is
// also an http.Handler.
package wallet

import (
	"cmp"
	"context"
	"errors"
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
	// Answer503 makes the wallet answer 503 instead of 401 to a wrong signature. Use it while the secret is changed at
	// once, so that callbacks stay pending instead of being finally rejected.
	Answer503 bool
}

// check returns an error if a merchant's settings are wrong.
func (m *Merchant) check() error {
	if m.Code == "" {
		return errors.New("wallet: a merchant has no code")
	}
	if len(m.Secrets) == 0 || slices.Contains(m.Secrets, "") {
		return fmt.Errorf("wallet: merchant %q: a secret is missing or empty", m.Code)
	}
	if _, ok := money.Decimals(m.Currency); !ok {
		return fmt.Errorf("wallet: merchant %q: currency %q is not supported", m.Code, m.Currency)
	}
	return nil
}

// Merchants finds one of your merchants by its code; nil: the code is unknown. Each callback calls it, so a new secret
// is valid at once.
type Merchants func(ctx context.Context, code string) (*Merchant, error)

// Fixed returns a Merchants with a fixed list. The error names the fault of a merchant.
func Fixed(merchants ...Merchant) (Merchants, error) {
	byCode := map[string]*Merchant{}
	for i := range merchants {
		m := merchants[i]
		if err := m.check(); err != nil {
			return nil, err
		}
		if byCode[m.Code] != nil {
			return nil, fmt.Errorf("wallet: merchant %q: each merchant needs a code of its own", m.Code)
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
	// Now is the clock with which timestamps are compared. It is time.Now unless you set it before the first callback.
	Now func() time.Time
	// Target is path and query of the walletUrl. Set it before the first callback if a proxy changes path or query. Empty:
	// the received target is the signed target.
	Target string
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

// Handle answers a callback. After an error of the storage it logs the error and answers 500. The aggregator treats a
// 500 as an unknown outcome: it may send the callback again, or a refund.
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
	if r.Method != http.MethodPost {
		return Response{http.StatusMethodNotAllowed, rejected("METHOD_NOT_ALLOWED")}, nil
	}
	if len(r.Body) > maxBody {
		return Response{http.StatusRequestEntityTooLarge, rejected("PAYLOAD_TOO_LARGE")}, nil
	}
	merchant, err := w.merchant(ctx, r.Header)
	if err != nil {
		return Response{}, err
	}
	if merchant == nil {
		return Response{http.StatusUnauthorized, rejected("INVALID_SIGNATURE")}, nil
	}
	target := cmp.Or(w.Target, r.Target)
	if fault := signing.Verify(merchant.Secrets, r.Header, r.Method, target, r.Body, w.Now()); fault != nil {
		w.Log.WarnContext(ctx, "wallet: a callback was refused", "merchant", merchant.Code, "fault", fault)
		status := http.StatusUnauthorized
		if merchant.Answer503 {
			status = http.StatusServiceUnavailable
		}
		return Response{status, rejected("INVALID_SIGNATURE")}, nil
	}
	c, err := readCallback(r.Body, merchant.Currency)
	if err != nil {
		w.Log.WarnContext(ctx, "wallet: a callback was refused", "merchant", merchant.Code, "fault", err)
		return Response{http.StatusBadRequest, rejected(InvalidRequest)}, nil
	}
	body, err := w.answer(ctx, merchant, c)
	return Response{http.StatusOK, body}, err
}

// merchant finds the merchant that the callback names; nil when it is unknown.
func (w *Wallet) merchant(ctx context.Context, header http.Header) (*Merchant, error) {
	codes := header.Values(signing.HeaderMerchant)
	if len(codes) != 1 {
		return nil, nil
	}
	merchant, err := w.merchants(ctx, codes[0])
	if err != nil || merchant == nil {
		return nil, err
	}
	return merchant, merchant.check()
}

// answer returns the reply to a genuine callback.
func (w *Wallet) answer(ctx context.Context, m *Merchant, c callback) (reply []byte, err error) {
	if c.action == ActionBalance {
		return w.balance(ctx, m, c)
	}
	err = w.storage.Transact(ctx, m.Code, c.playerID, func(tx Tx) (err error) {
		reply, err = judge(tx, m.Currency, c)
		return err
	})
	return reply, err
}

func (w *Wallet) balance(ctx context.Context, m *Merchant, c callback) ([]byte, error) {
	if c.currency != m.Currency {
		return rejected(CurrencyMismatch), nil
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
