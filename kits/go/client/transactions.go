package client

import (
	"context"
	"io"
	"net/http"
	"time"

	"aggregator.example/kits/go/money"
)

// Attempt is one call of your wallet. A nil field is unknown, because the process that made the call stopped.
type Attempt struct {
	N          int       `json:"n"`
	At         time.Time `json:"at"`
	DurationMS *int      `json:"duration_ms"`
	HTTPStatus *int      `json:"http_status"`
	Result     *string   `json:"result"`
	// ReplyStart is the beginning of a reply that the aggregator could not read as an answer.
	ReplyStart *string `json:"reply_start"`
	// RequestID is the X-Request-Id header that your wallet got.
	RequestID *string `json:"request_id"`
}

// TransactionFilter selects transactions. The zero value selects the last 24 hours, the newest first, in pages of 100.
type TransactionFilter struct {
	// From and To select transactions with From <= CreatedAt < To. They are at most 31 days apart.
	From, To time.Time
	Status   string
	Action   string
	// Kind selects bets and wins, for example "jackpot".
	Kind     string
	PlayerID string
	Provider string
	Game     string
	TxID     string
	RoundID  string
	RefTxID  string
	// Order is "desc" (the default) or "asc".
	Order string
	// Limit is the maximum number of items of a page: 1 to 1,000.
	Limit int
}

func (f TransactionFilter) query() query {
	q := query{}
	q.time("from", f.From)
	q.time("to", f.To)
	q.text("status", f.Status)
	q.text("action", f.Action)
	q.text("kind", f.Kind)
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

// Transactions yields the transactions of a listing. The listing's first call fixes which transactions belong to it.
func (c *Client) Transactions(ctx context.Context, filter TransactionFilter) Seq[Transaction] {
	return items(func(cursor string) (*Page[Transaction], error) { return c.TransactionsPage(ctx, filter, cursor) })
}

// TransactionsPage reads one page. cursor: the NextCursor of the previous page, "" for the first page.
func (c *Client) TransactionsPage(ctx context.Context, filter TransactionFilter, cursor string) (*Page[Transaction], error) {
	q := filter.query()
	if cursor != "" {
		// A cursor contains its listing's parameters.
		q = query{}
		q.number("limit", filter.Limit)
		q.text("cursor", cursor)
	}
	var page Page[Transaction]
	return &page, c.get(ctx, q.on(path("transactions")), &page)
}

// Transaction reads one transaction with all calls of your wallet for it.
func (c *Client) Transaction(ctx context.Context, txID string) (*Transaction, error) {
	var transaction Transaction
	return &transaction, c.get(ctx, path("transactions", txID), &transaction)
}

// Resend makes the aggregator send a pending or failed win or refund now. It is safe to call it twice.
func (c *Client) Resend(ctx context.Context, txID string) (*Transaction, error) {
	var transaction Transaction
	_, err := c.do(ctx, call{method: http.MethodPost, target: path("transactions", txID, "resend")}, &transaction)
	return &transaction, err
}

// Sums has exact sums of transactions.
type Sums struct {
	Bets      money.Amount `json:"bets"`
	Refunds   money.Amount `json:"refunds"`
	Wins      money.Amount `json:"wins"`
	Rollbacks money.Amount `json:"rollbacks"`
}

// PendingSums has the sums of transactions without a final answer.
type PendingSums struct {
	Sums
	Count int `json:"count"`
}

// RoundFilter selects rounds. The zero value selects the open rounds, in pages of 100.
type RoundFilter struct {
	// State is "open" or "ended". By default it is "open", or "ended" with EndedSince.
	State string
	// OlderThan selects rounds that were opened before this time.
	OlderThan time.Time
	// EndedSince selects rounds that ended at this time or later.
	EndedSince time.Time
	// Limit is the maximum number of items of a page: 1 to 1,000.
	Limit int
}

// ListedRound is a round whose provider says when its rounds end.
type ListedRound struct {
	Provider string `json:"provider"`
	RoundID  string `json:"round_id"`
	// State is "open" or "ended".
	State    string    `json:"state"`
	OpenedAt time.Time `json:"opened_at"`
	// EndedAt is nil while the round is open.
	EndedAt *time.Time `json:"ended_at"`
}

// Rounds yields the rounds that are open or have ended.
func (c *Client) Rounds(ctx context.Context, filter RoundFilter) Seq[ListedRound] {
	return items(func(cursor string) (*Page[ListedRound], error) {
		q := query{}
		q.number("limit", filter.Limit)
		if cursor == "" {
			q.text("state", filter.State)
			q.time("older_than", filter.OlderThan)
			q.time("ended_since", filter.EndedSince)
		}
		q.text("cursor", cursor)
		var page Page[ListedRound]
		return &page, c.get(ctx, q.on(path("rounds")), &page)
	})
}

// Round is a page of a round. Its sums cover the whole round.
type Round struct {
	Page[Transaction]
	Provider string `json:"provider"`
	RoundID  string `json:"round_id"`
	// State is "open", "ended" or "unknown". It is "" if the service is older than the ends of rounds.
	State string `json:"state"`
	// EndedAt is nil unless the round has ended.
	EndedAt *time.Time `json:"ended_at"`
	// Sums counts successful transactions only.
	Sums struct {
		Sums
		Pending PendingSums `json:"pending"`
	} `json:"sums"`
}

// Round reads a round, the oldest transaction first. limit: items of a page, 1 to 1,000; 0 means the default of 1,000.
// cursor: the NextCursor of the previous page, "" for the first page.
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

// Export returns a whole listing as a stream. It ignores Limit. The caller closes the stream. After a read error the
// export is not complete: discard it and start again. NDJSON ends with {"complete":true,"items":N}.
func (c *Client) Export(ctx context.Context, filter TransactionFilter, format Format) (io.ReadCloser, error) {
	filter.Limit = 0
	q := filter.query()
	q.text("format", string(format))
	return c.stream(ctx, q.on(path("transactions")))
}

// stream starts to read a reply that has no envelope.
func (c *Client) stream(ctx context.Context, target string) (body io.ReadCloser, err error) {
	what := call{method: http.MethodGet, target: target}
	err = c.repeat(ctx, what, func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		timed := &stream{timer: time.AfterFunc(c.Timeout, cancel), limit: c.Timeout, cancel: cancel}
		response, err := c.send(ctx, what)
		if err != nil {
			cancel()
			return err
		}
		timed.ReadCloser = response.Body
		if response.StatusCode == http.StatusOK {
			timed.timer.Stop()
			body = timed
			return nil
		}
		defer timed.Close()
		text, err := readAll(response)
		if err != nil {
			return err
		}
		return refusal(response, text)
	})
	return body, err
}

// stream is a body that ends with an error when no byte comes for the limit.
type stream struct {
	io.ReadCloser
	timer  *time.Timer
	limit  time.Duration
	cancel context.CancelFunc
}

func (s *stream) Read(into []byte) (int, error) {
	s.timer.Reset(s.limit)
	defer s.timer.Stop()
	return s.ReadCloser.Read(into)
}

func (s *stream) Close() error {
	s.timer.Stop()
	defer s.cancel()
	return s.ReadCloser.Close()
}
