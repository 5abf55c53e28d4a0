package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"aggregator.example/kits/go/signing"
)

// answer is the server's reply to one call. With a status of 0 the server closes the connection.
type answer struct {
	status int
	body   string
	header map[string]string
}

// server checks each call's signature and nonce. Then it sends the answers of its script in order, and repeats the
// last.
type server struct {
	*httptest.Server
	mutex   sync.Mutex
	script  []answer
	targets []string
	nonces  map[string]bool
}

func serve(t *testing.T, script ...answer) (*server, *Client) {
	t.Helper()
	s := &server{script: script, nonces: map[string]bool{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err == nil {
			// The signature does not cover the path of the address before /v1.
			err = signing.Verify([]string{"sk_shop"}, in.Header, in.Method, strings.TrimPrefix(in.RequestURI, "/api"), body, time.Now())
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if nonce := in.Header.Get(signing.HeaderNonce); err != nil || s.nonces[nonce] || in.Header.Get(signing.HeaderMerchant) != "shop" {
			t.Errorf("%s %s is not signed rightly: %v, nonce used before: %t", in.Method, in.RequestURI, err, s.nonces[nonce])
		}
		s.nonces[in.Header.Get(signing.HeaderNonce)] = true
		s.targets = append(s.targets, in.Method+" "+in.RequestURI+" "+string(body)+in.Header.Get("If-None-Match"))
		next := s.script[0]
		if len(s.script) > 1 {
			s.script = s.script[1:]
		}
		if next.status == 0 {
			panic(http.ErrAbortHandler)
		}
		for name, value := range next.header {
			out.Header().Set(name, value)
		}
		out.WriteHeader(next.status)
		_, _ = io.WriteString(out, next.body)
	}))
	t.Cleanup(s.Close)
	c, err := New(s.URL+"/api/", "shop", "sk_shop")
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func (s *server) calls(t *testing.T, want ...string) {
	t.Helper()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if got := strings.Join(s.targets, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("calls:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

func done(data string) answer {
	return answer{status: 200, body: `{"success":true,"message":"","statusCode":200,"data":` + data + `}`}
}

func refuse(status int, code, details string) answer {
	return answer{status: status, body: fmt.Sprintf(
		`{"success":false,"message":"Não.","statusCode":%d,"error":{"code":%q,"message":"Não.","request_id":"id-1"%s}}`, status, code, details)}
}

var ctx = context.Background()

func TestACallThatMayBeRepeatedIsSignedAnewAfterEachFault(t *testing.T) {
	s, c := serve(t, answer{}, refuse(500, "INTERNAL_ERROR", ""), answer{status: 502, body: "<html>"}, answer{}, done(`{"code":"shop","currency":"BRL"}`))
	merchant, err := c.Merchant(ctx)
	if err != nil || merchant.Currency != "BRL" {
		t.Errorf("got %+v, %v", merchant, err)
	}
	s.calls(t, strings.Split(strings.Repeat("GET /api/v1/merchant ,", 5), ",")[:5]...)
}

func TestRetryAfterIsHonoured(t *testing.T) {
	limited := refuse(429, "RATE_LIMITED", "")
	limited.header = map[string]string{"Retry-After": "1"}
	_, c := serve(t, limited, done(`{}`))
	began := time.Now()
	if _, err := c.Merchant(ctx); err != nil || time.Since(began) < time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
}

func TestRepeatsEnd(t *testing.T) {
	s, c := serve(t, refuse(503, "SERVICE_UNAVAILABLE", ""))
	c.Attempts = 2
	_, err := c.Merchant(ctx)
	var unavailable UnavailableError
	if !errors.As(err, &unavailable) || unavailable.Code != "SERVICE_UNAVAILABLE" {
		t.Errorf("got %v", err)
	}
	s.calls(t, "GET /api/v1/merchant ", "GET /api/v1/merchant ")
	ended, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	c.Attempts = 1000
	if _, err := c.Merchant(ended); err == nil {
		t.Error("the context has ended")
	}
}

func TestALaunchIsNeverRepeated(t *testing.T) {
	for _, fault := range []answer{{}, refuse(502, "LAUNCH_FAILED", "")} {
		s, c := serve(t, fault)
		if _, err := c.Launch(ctx, LaunchRequest{PlayerID: "ana", Game: "fruits", Demo: true}); err == nil {
			t.Error("the launch failed")
		}
		s.calls(t, `POST /api/v1/game/launch {"player_id":"ana","game":"fruits","demo":true}`)
	}
}

func TestARefusalHasTheTypeOfItsCode(t *testing.T) {
	for _, c := range []struct {
		answer answer
		is     func(error) bool
	}{
		{refuse(401, "INVALID_SIGNATURE", ""), as[AuthenticationError]},
		{refuse(403, "MERCHANT_DISABLED", ""), as[PermissionError]},
		{refuse(404, "TRANSACTION_NOT_FOUND", ""), as[NotFoundError]},
		{refuse(409, "NOT_RESENDABLE", ""), as[ConflictError]},
		{refuse(422, "PROVIDER_NOT_SUPPORTED", ""), as[ConflictError]},
		{refuse(422, "VALIDATION_ERROR", `,"details":[{"field":"limit","rule":"max","message":"m"}]`), as[ValidationError]},
		{refuse(429, "RATE_LIMITED", ""), as[RateLimitedError]},
		{refuse(503, "SERVICE_UNAVAILABLE", ""), as[UnavailableError]},
		{refuse(400, "BAD_REQUEST", ""), as[RequestError]},
		{answer{status: 302, body: "<html>"}, as[RequestError]},
		{answer{status: 200, body: "<html>"}, as[RequestError]},
	} {
		_, client := serve(t, c.answer)
		client.Attempts = 1
		_, err := client.Merchant(ctx)
		var refused *APIError
		if !c.is(err) || !errors.As(err, &refused) || refused.Status != c.answer.status {
			t.Errorf("%v gave %T %v", c.answer, err, err)
		}
		if strings.Contains(c.answer.body, "id-1") && refused.RequestID != "id-1" {
			t.Errorf("request id %q", refused.RequestID)
		}
		var invalid ValidationError
		if errors.As(err, &invalid) && (len(invalid.Faults) != 1 || invalid.Faults[0].Field != "limit") {
			t.Errorf("faults %+v", invalid.Faults)
		}
	}
}

func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

func TestAListingIsReadPageByPage(t *testing.T) {
	s, c := serve(t,
		done(`{"items":[{"tx_id":"a","amount":0.1},{"tx_id":"b","amount":9999999999.99}],"next_cursor":"c/1+"}`),
		done(`{"items":[],"next_cursor":"c2"}`), done(`{"items":[{"tx_id":"c","amount":3}],"next_cursor":null}`))
	from := time.Date(2026, 1, 31, 9, 0, 0, 5e6, time.FixedZone("", -3*3600))
	var read []string
	c.Transactions(ctx, TransactionFilter{From: from, PlayerID: "joão & co", Limit: 2})(func(tx Transaction, err error) bool {
		if err != nil {
			t.Error(err)
		}
		read = append(read, tx.TxID+" "+tx.Amount.String())
		return true
	})
	if got := strings.Join(read, ", "); got != "a 0.1, b 9999999999.99, c 3" {
		t.Errorf("read %s", got)
	}
	s.calls(t, "GET /api/v1/transactions?from=2026-01-31T12%3A00%3A00.005Z&limit=2&player_id=jo%C3%A3o+%26+co ",
		"GET /api/v1/transactions?cursor=c%2F1%2B&limit=2 ", "GET /api/v1/transactions?cursor=c2&limit=2 ")
}

func TestAListingStopsWhereItsReaderStops(t *testing.T) {
	s, c := serve(t, done(`{"items":[{"tx_id":"a","amount":1},{"tx_id":"b","amount":1}],"next_cursor":"c1"}`))
	n := 0
	c.Transactions(ctx, TransactionFilter{})(func(Transaction, error) bool { n++; return false })
	if n != 1 {
		t.Errorf("%d items", n)
	}
	s.calls(t, "GET /api/v1/transactions ")
}

func TestTheFeedGoesOnForEverAndWaitsAtTheEnd(t *testing.T) {
	s, c := serve(t, done(`{"items":[{"tx_id":"a","amount":1}],"next_cursor":"c1","behind_ms":7}`), answer{},
		refuse(503, "SERVICE_UNAVAILABLE", ""), done(`{"items":[],"next_cursor":"c2"}`), done(`{"items":[],"next_cursor":"c2"}`),
		done(`{"items":[{"tx_id":"b","amount":1}],"next_cursor":"c3"}`), refuse(422, "VALIDATION_ERROR", ""))
	c.Attempts = 1
	var read []string
	var waited time.Duration
	last := time.Now()
	c.Changes(ctx, FeedFilter{PlayerID: "ana", Limit: 5, Pause: 300 * time.Millisecond})(func(page *Changes, err error) bool {
		if err != nil {
			read = append(read, fmt.Sprintf("%T", err))
			return true
		}
		read = append(read, fmt.Sprintf("%s %d %t", page.Cursor, len(page.Items), page.AtEnd))
		if page.Cursor == "c3" {
			waited = time.Since(last)
		}
		last = time.Now()
		return true
	})
	if got := strings.Join(read, ", "); got != "c1 1 false, c2 0 false, c2 0 true, c3 1 false, client.ValidationError" {
		t.Errorf("read %s", got)
	}
	if waited < 300*time.Millisecond {
		t.Errorf("it waited %s at the end", waited)
	}
	after := func(cursor string) string { return "GET /api/v1/transactions?cursor=" + cursor + "&limit=5 " }
	s.calls(t, "GET /api/v1/transactions?limit=5&player_id=ana&updated_since=2000-01-01T00%3A00%3A00.000Z ",
		after("c1"), after("c1"), after("c1"), after("c2"), after("c2"), after("c3"))
}

func TestTheFeedEndsWithItsContext(t *testing.T) {
	_, c := serve(t, done(`{"items":[],"next_cursor":"c1"}`))
	ended, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	var last error
	c.Changes(ended, FeedFilter{Cursor: "c1", Pause: time.Hour})(func(_ *Changes, err error) bool {
		last = err
		return true
	})
	if !errors.Is(last, context.DeadlineExceeded) {
		t.Errorf("it ended with %v", last)
	}
}

func TestIdsAreEscaped(t *testing.T) {
	s, c := serve(t, done(`{"tx_id":"x","amount":2.5,"balance":-0.01,"items":[],"sums":{"bets":2.5,"pending":{"count":3,"wins":10}}}`))
	tx, err := c.Transaction(ctx, "ACME:b/ã+ ?%")
	if err != nil || tx.Amount.String() != "2.5" || tx.Balance.String() != "-0.01" {
		t.Errorf("got %+v, %v", tx, err)
	}
	round, err := c.Round(ctx, "ACME", "r/1", 10, "")
	if err != nil || round.Sums.Bets.Fixed(2) != "2.50" || round.Sums.Pending.Wins.String() != "10" || round.Sums.Pending.Count != 3 {
		t.Errorf("got %+v, %v", round, err)
	}
	if _, err := c.Resend(ctx, "ACME:w/1"); err != nil {
		t.Error(err)
	}
	s.calls(t, "GET /api/v1/transactions/ACME:b%2F%C3%A3+%20%3F%25 ", "GET /api/v1/rounds/ACME/r%2F1?limit=10 ",
		"POST /api/v1/transactions/ACME:w%2F1/resend ")
}

func TestATagTellsThatNothingChanged(t *testing.T) {
	tagged := done(`{"items":[{"code":"fruits","rtp":96.21}],"next_cursor":null,"total":1}`)
	tagged.header = map[string]string{"ETag": `"t1"`}
	s, c := serve(t, tagged, answer{status: 304})
	page, err := c.GamesPage(ctx, GamesFilter{Active: "all"}, "", "")
	if err != nil || page.Total != 1 || page.Tag != `"t1"` || page.Items[0].RTP.String() != "96.21" {
		t.Fatalf("got %+v, %v", page, err)
	}
	again, err := c.GamesPage(ctx, GamesFilter{Active: "all"}, "", page.Tag)
	if err != nil || !again.Unchanged || again.Tag != page.Tag {
		t.Errorf("got %+v, %v", again, err)
	}
	s.calls(t, "GET /api/v1/games?active=all ", `GET /api/v1/games?active=all "t1"`)
}

func TestAnExportIsAStream(t *testing.T) {
	s, c := serve(t, answer{}, answer{status: 200, body: "tx_id\r\na\r\n"})
	stream, err := c.Export(ctx, TransactionFilter{Status: "success", Limit: 5}, CSV)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(stream)
	if err != nil || string(text) != "tx_id\r\na\r\n" || stream.Close() != nil {
		t.Errorf("read %q, %v", text, err)
	}
	s.calls(t, "GET /api/v1/transactions?format=csv&status=success ", "GET /api/v1/transactions?format=csv&status=success ")
	_, c = serve(t, refuse(422, "VALIDATION_ERROR", ""))
	if _, err := c.GGRAsCSV(ctx, ReportFilter{From: "2026-01-01"}); !as[ValidationError](err) {
		t.Errorf("got %v", err)
	}
}

func TestAnAddressThatCannotWorkIsRefused(t *testing.T) {
	for _, address := range []string{"", "api.example", "ftp://api.example", "https://", "https://api.example?x=1", "https://a b"} {
		if _, err := New(address, "shop", "sk"); err == nil {
			t.Errorf("%q was accepted", address)
		}
	}
	if _, err := New("https://api.example", "", "sk"); err == nil {
		t.Error("a merchant is needed")
	}
}

func TestAClientOfYourOwnFollowsNoRedirectEither(t *testing.T) {
	other, _ := serve(t, done(`{}`))
	_, c := serve(t, answer{status: 302, header: map[string]string{"Location": other.URL + "/v1/merchant"}})
	c.HTTP = &http.Client{Transport: Transport()}
	var refused *APIError
	if _, err := c.Merchant(ctx); !errors.As(err, &refused) || refused.Status != 302 {
		t.Errorf("got %v", err)
	}
	other.calls(t)
}
