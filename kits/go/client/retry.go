package client

import (
	"context"
	"errors"
	"math/rand"
	"time"
)

const (
	// firstPause doubles with each repeat, up to maxPause.
	firstPause = 250 * time.Millisecond
	maxPause   = 30 * time.Second
)

// repeat sends a call again when it may succeed later: after a lost connection, a 429 or a 5xx. It signs each repeat
// anew. It waits at least for the pause that the aggregator requests.
func (c *Client) repeat(ctx context.Context, what call, send func(context.Context) error) error {
	if err := checkPath(what.target); err != nil {
		return err
	}
	for n := 1; ; n++ {
		err := send(ctx)
		if err == nil || errors.Is(err, errUnchanged) || what.once || (n >= c.Attempts && !what.patient) {
			return err
		}
		later, atLeast := mayComeLater(err)
		if !later || ctx.Err() != nil {
			return err
		}
		if sleep(ctx, max(pause(n), atLeast)) != nil {
			return err
		}
	}
}

// pause returns the pause before repeat n: at most 250 ms, 500 ms, 1 s, 2 s and so on, and at least half of that. The
// random part spreads the repeats of clients that failed at the same time.
func pause(n int) time.Duration {
	most := maxPause
	if n < 8 {
		most = min(maxPause, firstPause<<(n-1))
	}
	return most/2 + time.Duration(rand.Int63n(int64(most/2)+1))
}

// sleep waits for d. It returns early when ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
