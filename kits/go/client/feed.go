package client

import (
	"context"
	"net/http"
	"time"
)

// FeedFilter selects changes. The zero value selects every change since 2000.
type FeedFilter struct {
	// Cursor is the cursor that you stored with the last page. It is valid for ever. With a cursor only Limit and Pause
	// apply, because the cursor contains the other filters of the first call.
	Cursor string
	// Since is the beginning of a feed without a cursor.
	Since  time.Time
	Action string
	// Kind selects bets and wins, for example "jackpot".
	Kind     string
	PlayerID string
	Provider string
	Game     string
	TxID     string
	RoundID  string
	RefTxID  string
	// Limit is the maximum number of items of a page: 1 to 1,000, by default 1,000.
	Limit int
	// Pause is the wait after a page without items, by default 1 second.
	Pause time.Duration
}

// Changes is a page of the feed. Store the results of the items and the cursor in one transaction of your database.
type Changes struct {
	Items []Transaction `json:"items"`
	// Cursor is the position after these items. The feed continues from it.
	Cursor string `json:"next_cursor"`
	// BehindMS is the age of the oldest change that is not in the feed yet, in milliseconds.
	BehindMS int64 `json:"behind_ms"`
	// AtEnd is true when there are no more changes for now.
	AtEnd bool `json:"-"`
}

// Changes yields the pages of the feed without end: transactions in the order in which their states became known. A
// page may be empty. At the end of the feed it pauses and reads again. It continues after lost connections and after
// temporary refusals. It ends with an error for any other refusal, or when ctx ends. It reads a page only when you
// request the next page.
func (c *Client) Changes(ctx context.Context, filter FeedFilter) Seq[*Changes] {
	return func(yield func(*Changes, error) bool) {
		limit, wait := filter.Limit, filter.Pause
		if limit == 0 {
			limit = 1000
		}
		if wait == 0 {
			wait = time.Second
		}
		for cursor := filter.Cursor; ; {
			var page Changes
			what := call{method: http.MethodGet, target: filter.target(cursor, limit), patient: true}
			if _, err := c.do(ctx, what, &page); err != nil {
				yield(nil, err)
				return
			}
			page.AtEnd = page.Cursor == cursor
			cursor = page.Cursor
			if !yield(&page, nil) {
				return
			}
			if len(page.Items) > 0 || !page.AtEnd {
				continue
			}
			if err := sleep(ctx, wait); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// target returns the target of the page after a cursor. A cursor contains the other parameters.
func (f FeedFilter) target(cursor string, limit int) string {
	q := query{}
	q.number("limit", limit)
	if cursor != "" {
		q.text("cursor", cursor)
		return q.on(path("transactions"))
	}
	since := f.Since
	if since.IsZero() {
		since = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	q.time("updated_since", since)
	q.text("action", f.Action)
	q.text("kind", f.Kind)
	q.text("player_id", f.PlayerID)
	q.text("provider", f.Provider)
	q.text("game", f.Game)
	q.text("tx_id", f.TxID)
	q.text("round_id", f.RoundID)
	q.text("ref_tx_id", f.RefTxID)
	return q.on(path("transactions"))
}
