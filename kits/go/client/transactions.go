package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"aggregator.example/kits/go/money"
)

// Transaction is what was sent to your wallet, and the result.
type Transaction struct {
	TxID    string  `json:"tx_id"`
	RoundID string  `json:"round_id"`
	RefTxID *string `json:"ref_tx_id"`
	// Action is "bet", "win", "refund" or "rollback".
	Action string `json:"action"`
	// Amount is above 0; Action says in which direction it goes.
	Amount   money.Amount `json:"amount"`
	Currency string       `json:"currency"`
	// Status is "success", "pending" or "failed".
	Status string `json:"status"`
	// Error is the code with which your wallet refused it.
	Error    *string `json:"error"`
	Provider string  `json:"provider"`
	Game     string  `json:"game"`
	PlayerID string  `json:"player_id"`
	// Balance of your wallet's reply, not the present one.
	Balance    *money.Amount `json:"balance"`
	Attempts   int           `json:"attempts"`
	LastResult *string       `json:"last_result"`
	// NextAttemptAt is when the aggregator calls again on its own; nil: it does not.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	// ResolvedBy says what ended it; nil: the first call did, or it is pending.
	ResolvedBy *string   `json:"resolved_by"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	// AttemptLog is filled by Client.Transaction alone.
	AttemptLog []Attempt `json:"attempt_log"`
}

// Attempt is one call of your wallet. A nil field was lost with the process that made the call.
type Attempt struct {
	N          int       `json:"n"`
	At         time.Time `json:"at"`
	DurationMS *int      `json:"duration_ms"`
	HTTPStatus *int      `json:"http_status"`
	Result     *string   `json:"result"`
	// ReplyStart is the beginning of a reply that was no answer.
	ReplyStart *string `json:"reply_start"`
	// RequestID is the X-Request-Id that your wallet saw.
	RequestID *string `json:"request_id"`
}

// TransactionFilter chooses transactions. The zero value is the last 24 hours, the newest first, in pages of 100.
type TransactionFilter struct {
	// From and To bound CreatedAt, half-open, at most 31 days apart.
	From, To time.Time
	Status   string
	Action   string
	PlayerID string
	Provider string
	Game     string
	TxID     string
	RoundID  string
	RefTxID  string
	// Order is "desc" (the default) or "asc".
	Order string
	// Limit of a page: 1 to 1,000.
	Limit int
}

func (f TransactionFilter) query() query {
	q := query{}
	q.time("from", f.From)
	q.time("to", f.To)
	q.text("status", f.Status)
	q.text("action", f.Action)
	q.text("player_id", f.PlayerID)
	q.text("provider", f.Provider)
	q.text("game", f.Game)
	q.text("tx_id", f.TxID)
	q.text("round_id", f.RoundID)
	q.text("ref_tx_id", f.RefTxID)
	q.text("order", f.Order)
	q.number("limit", f.Limit)
	return q
}

// Transactions yields the transactions of a listing. It is fixed when it begins.
func (c *Client) Transactions(ctx context.Context, filter TransactionFilter) Seq[Transaction] {
	return items(func(cursor string) (*Page[Transaction], error) { return c.TransactionsPage(ctx, filter, cursor) })
}

// TransactionsPage reads one page. cursor: the NextCursor of the page before, "" for the first.
func (c *Client) TransactionsPage(ctx context.Context, filter TransactionFilter, cursor string) (*Page[Transaction], error) {
	q := filter.query()
	if cursor != "" {
		// A cursor carries its listing's parameters.
		q = query{}
		q.number("limit", filter.Limit)
		q.text("cursor", cursor)
	}
	var page Page[Transaction]
	return &page, c.get(ctx, q.on(path("transactions")), &page)
}

// Transaction reads one transaction with every call of your wallet.
func (c *Client) Transaction(ctx context.Context, txID string) (*Transaction, error) {
	var transaction Transaction
	return &transaction, c.get(ctx, path("transactions", txID), &transaction)
}

// Resend has a pending or failed win or refund sent to your wallet now. Asking twice does no harm.
func (c *Client) Resend(ctx context.Context, txID string) (*Transaction, error) {
	var transaction Transaction
	_, err := c.do(ctx, call{method: http.MethodPost, target: path("transactions", txID, "resend")}, &transaction)
	return &transaction, err
}

// Sums of transactions, exact.
type Sums struct {
	Bets      money.Amount `json:"bets"`
	Refunds   money.Amount `json:"refunds"`
	Wins      money.Amount `json:"wins"`
	Rollbacks money.Amount `json:"rollbacks"`
}

// PendingSums of transactions without an answer yet.
type PendingSums struct {
	Sums
	Count int `json:"count"`
}

// Round is a page of a round. Sums are those of the whole round.
type Round struct {
	Page[Transaction]
	Provider string `json:"provider"`
	RoundID  string `json:"round_id"`
	// Sums count successful transactions.
	Sums struct {
		Sums
		Pending PendingSums `json:"pending"`
	} `json:"sums"`
}

// Round reads a round, the oldest transaction first. limit: items of a page, 1 to 1,000; 0 is the default of 1,000.
// cursor: the NextCursor of the page before, "" for the first.
func (c *Client) Round(ctx context.Context, provider, roundID string, limit int, cursor string) (*Round, error) {
	q := query{}
	q.number("limit", limit)
	q.text("cursor", cursor)
	var round Round
	return &round, c.get(ctx, q.on(path("rounds", provider, roundID)), &round)
}

// Format is the form of an export.
type Format string

// The forms of exports.
const (
	CSV    Format = "csv"
	NDJSON Format = "ndjson"
)

// Export sends a whole listing as a stream; Limit is not used. The caller closes it. An error while reading means that
// the export is not complete: discard it and ask again. NDJSON ends with {"complete":true,"items":N}.
func (c *Client) Export(ctx context.Context, filter TransactionFilter, format Format) (io.ReadCloser, error) {
	filter.Limit = 0
	q := filter.query()
	q.text("format", string(format))
	return c.stream(ctx, q.on(path("transactions")))
}

// stream begins to read a reply without an envelope.
func (c *Client) stream(ctx context.Context, target string) (body io.ReadCloser, err error) {
	what := call{method: http.MethodGet, target: target}
	err = c.repeat(ctx, what, func(ctx context.Context) error {
		response, err := c.send(ctx, what)
		if err != nil {
			return err
		}
		if response.StatusCode == http.StatusOK {
			body = response.Body
			return nil
		}
		defer response.Body.Close()
		text, err := io.ReadAll(io.LimitReader(response.Body, maxReply))
		if err != nil {
			return fmt.Errorf("client: reading the reply: %w", err)
		}
		return refusal(response, text)
	})
	return body, err
}
