package wallet

import (
	"context"
	"io"
	"net/http"
	"time"
)

const (
	// maxBody is much larger than any callback: ids have at most 128 bytes.
	maxBody = 64 << 10
	// bodyTime is the time within which the body must arrive.
	bodyTime = 10 * time.Second
	// answerTime is less than the 8 seconds that the aggregator waits.
	answerTime = 7 * time.Second
)

// ServeHTTP answers a callback, like Handle. It must get the request as it was received: no middleware may read the
// body or change the path before. A callback that has begun is finished, even if its caller disconnects.
func (w *Wallet) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	// A server that cannot set a deadline returns an error. Its own limits apply.
	control := http.NewResponseController(out)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	// Reads one byte more than allowed, so that Handle can detect a body that is too large.
	body, err := io.ReadAll(io.LimitReader(in.Body, maxBody+1))
	if err != nil {
		write(out, Response{http.StatusBadRequest, rejected(InvalidRequest)})
		return
	}
	_ = control.SetReadDeadline(time.Time{})
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
	// An error is ignored: if the caller has disconnected, the transaction stays pending and may come again.
	_, _ = out.Write(response.Body)
}
