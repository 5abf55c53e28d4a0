package client

import (
	"context"
	"io"
	"time"

	"aggregator.example/kits/go/money"
)

// ReportFilter selects the transactions of a report. From and To are required.
type ReportFilter struct {
	// From and To are the first and the last day, YYYY-MM-DD. The report includes both. They span at most 92 days.
	From, To string
	// GroupBy is "day" (the default), "provider", "game", "type" or "player".
	GroupBy string
	// TZ is the time zone of the days: an IANA name, by default UTC.
	TZ       string
	Provider string
	// Type is "slot", "live" or "sportsbook".
	Type string
}

func (f ReportFilter) query() query {
	q := query{}
	q.text("from", f.From)
	q.text("to", f.To)
	q.text("group_by", f.GroupBy)
	q.text("tz", f.TZ)
	q.text("provider", f.Provider)
	q.text("type", f.Type)
	return q
}

// Report has the sums of your successful transactions.
type Report struct {
	Currency string      `json:"currency"`
	TZ       string      `json:"tz"`
	GroupBy  string      `json:"group_by"`
	Rows     []ReportRow `json:"rows"`
	// Totals is the sum of all rows. It has no key.
	Totals ReportRow `json:"totals"`
	// AsOf is the moment at which the whole report was read.
	AsOf time.Time `json:"as_of"`
}

// ReportRow is a group of transactions.
type ReportRow struct {
	// Key is the day, the provider, <PROVIDER>/<game>, the type or the player.
	Key string `json:"key"`
	Sums
	BetsCount      int `json:"bets_count"`
	RefundsCount   int `json:"refunds_count"`
	WinsCount      int `json:"wins_count"`
	RollbacksCount int `json:"rollbacks_count"`
	// GGR is (bets - refunds) - (wins - rollbacks).
	GGR     money.Amount `json:"ggr"`
	Pending PendingSums  `json:"pending"`
	// OfWhich has the parts of the bets and wins that have a kind.
	OfWhich []KindSum `json:"of_which"`
}

// KindSum is the sum of the bets or wins of one kind.
type KindSum struct {
	// Action is "bet" or "win".
	Action string `json:"action"`
	// Kind is for example "jackpot". Later releases may add kinds.
	Kind   string       `json:"kind"`
	Count  int          `json:"count"`
	Amount money.Amount `json:"amount"`
}

// GGR reads a report.
func (c *Client) GGR(ctx context.Context, filter ReportFilter) (*Report, error) {
	var report Report
	return &report, c.get(ctx, filter.query().on(path("reports", "ggr")), &report)
}

// GGRAsCSV returns the rows of a report as a stream. The caller closes it. After a read error the report is not
// complete.
func (c *Client) GGRAsCSV(ctx context.Context, filter ReportFilter) (io.ReadCloser, error) {
	q := filter.query()
	q.text("format", string(CSV))
	return c.stream(ctx, q.on(path("reports", "ggr")))
}
