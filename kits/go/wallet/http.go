package wallet

import (
	"context"
	"io"
	"net/http"
	"time"
)

const (
	// maxBody is far more than any callback has: ids have at most 128 bytes.
	maxBody = 64 << 10
	// answerTime is less than the 8 seconds that the aggregator waits.
	answerTime = 7 * time.Second
)

// ServeHTTP answers a callback, as Handle does. It must get the request as it was received: middleware must not read
// the body or change the path before. A callback that has begun is finished, even if its caller disconnects.
func (w *Wallet) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	// One byte more than is allowed, so that Handle sees that it is too much.
	body, err := io.ReadAll(io.LimitReader(in.Body, maxBody+1))
	if err != nil {
		write(out, Response{http.StatusBadRequest, rejected(InvalidRequest)})
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(in.Context()), answerTime)
	defer cancel()
	write(out, w.Handle(ctx, Request{in.Method, in.RequestURI, in.Header, body}))
}

func write(out http.ResponseWriter, response Response) {
	out.Header().Set("Content-Type", "application/json")
	if response.Status == http.StatusMethodNotAllowed {
		out.Header().Set("Allow", http.MethodPost)
	}
	out.WriteHeader(response.Status)
	// If the caller has disconnected, it asks again.
	_, _ = out.Write(response.Body)
}
