package wallet

import (
	"context"
	"errors"
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
	if in.Method != http.MethodPost {
		out.Header().Set("Allow", http.MethodPost)
		write(out, Response{http.StatusMethodNotAllowed, rejected(InvalidRequest)})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(out, in.Body, maxBody))
	if err != nil {
		status := http.StatusBadRequest
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			status = http.StatusRequestEntityTooLarge
		}
		write(out, Response{status, rejected(InvalidRequest)})
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(in.Context()), answerTime)
	defer cancel()
	write(out, w.Handle(ctx, Request{in.Method, in.RequestURI, in.Header, body}))
}

func write(out http.ResponseWriter, response Response) {
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(response.Status)
	// If the caller has disconnected, it asks again.
	_, _ = out.Write(response.Body)
}
