// Package client calls the aggregator's API for merchants. It signs every call. Money is exact, lists and the feed of
// changes are iterators, and each kind of refusal has a type.
package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"aggregator.example/kits/go/signing"
)

const (
	// maxReply is far above a page of 1,000 transactions.
	maxReply = 64 << 20
	// callTime is enough for a launch, which may take 9 seconds, and for a report.
	callTime = 65 * time.Second
	// userAgent names the kit and its version. Firewalls refuse calls without this header.
	userAgent = "game-aggregator-go/1.0.0"
)

// Client calls the API for one merchant. It is safe for concurrent use. Make one Client for the whole process.
type Client struct {
	// base is the address without /v1. It may have a path; the signature does not cover this path.
	base     string
	merchant string
	secret   string
	// HTTP sends the calls. Change it only before the first call. See Transport.
	HTTP *http.Client
	// Attempts is the maximum number of attempts of a repeatable call. The feed has no maximum.
	Attempts int
	// Timeout is the limit of each attempt, from the connect to the last byte. For an export it is the limit to the
	// headers of the reply and of each pause in it.
	Timeout time.Duration
}

// New makes a client.
//
//   - address: as you got it, without /v1, such as "https://api.aggregator.example".
//   - merchant, secret: code and secret, as you got them.
func New(address, merchant, secret string) (*Client, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || (parsed.Scheme != "https" && parsed.Scheme != "http") ||
		parsed.RawQuery != "" || parsed.Fragment != "" {
		return nil, fmt.Errorf("client: address %q: give an http or https URL without /v1", address)
	}
	if merchant == "" || secret == "" {
		return nil, errors.New("client: merchant code or secret is empty")
	}
	return &Client{
		base:     strings.TrimSuffix(address, "/"),
		merchant: merchant,
		secret:   secret,
		HTTP:     &http.Client{Transport: Transport()},
		Attempts: 5,
		Timeout:  callTime,
	}, nil
}

// Transport returns the transport of a new client. Use it to set a proxy or TLS. It reads no variables of the
// environment, so that a variable of another program does not change the way of signed calls. It uses only HTTP/1.1,
// because with HTTP/2 net/http would repeat calls by itself, and each repeat needs a new nonce.
func Transport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.ForceAttemptHTTP2 = false
	transport.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	transport.MaxIdleConnsPerHost = 16
	return transport
}

// keepRedirects returns a redirect to the caller. The call's signature would not match the redirect's target.
func keepRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// call is one operation.
type call struct {
	method string
	// target is the path, beginning with /v1, and the query.
	target string
	body   []byte
	// tag is sent as If-None-Match.
	tag string
	// once is true when the call must not be repeated.
	once bool
	// patient is true when the call is repeated until it succeeds, gets a refusal that cannot pass, or ctx ends.
	patient bool
}

// errUnchanged means that a call with a tag got the reply 304.
var errUnchanged = errors.New("client: nothing changed since the reply with this tag")

// get sends a GET and decodes the reply's `data` into data.
func (c *Client) get(ctx context.Context, target string, data any) error {
	_, err := c.do(ctx, call{method: http.MethodGet, target: target}, data)
	return err
}

// do sends a call, repeats it if that is allowed, and decodes the reply's `data`. It returns the reply's ETag.
func (c *Client) do(ctx context.Context, what call, data any) (tag string, err error) {
	err = c.repeat(ctx, what, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, c.Timeout)
		defer cancel()
		response, err := c.send(ctx, what)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode == http.StatusNotModified {
			return errUnchanged
		}
		body, err := readAll(response)
		if err != nil {
			return err
		}
		tag = response.Header.Get("ETag")
		envelope := struct {
			Success bool `json:"success"`
			Data    any  `json:"data"`
		}{Data: data}
		if err := json.Unmarshal(body, &envelope); err != nil || !envelope.Success || response.StatusCode >= 300 {
			return refusal(response, body)
		}
		return nil
	})
	return tag, err
}

// send signs a call and sends it once. The caller closes the body.
func (c *Client) send(ctx context.Context, what call) (*http.Response, error) {
	// net/http repeats a GET by itself, with its old nonce, unless the request has a body that can't be read twice. So
	// each GET gets such a body. It is empty, and nothing of it is sent. net/http does not repeat a POST. An empty POST
	// has http.NoBody, so that net/http sends its length of 0: some servers refuse a POST without a length.
	body := io.NopCloser(bytes.NewReader(what.body))
	if what.method == http.MethodPost && len(what.body) == 0 {
		body = http.NoBody
	}
	request, err := http.NewRequestWithContext(ctx, what.method, c.base+what.target, body)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	request.Header.Set("User-Agent", userAgent)
	// With this header net/http decodes nothing by itself. The kit reads no other coding.
	request.Header.Set("Accept-Encoding", "identity")
	for name, values := range signing.Sign(c.secret, what.method, what.target, what.body) {
		request.Header[name] = values
	}
	request.Header.Set(signing.HeaderMerchant, c.merchant)
	if len(what.body) > 0 {
		request.ContentLength = int64(len(what.body))
		request.Header.Set("Content-Type", "application/json")
	}
	if what.tag != "" {
		request.Header.Set("If-None-Match", what.tag)
	}
	// A client of the user's own would follow redirects, too, if it has no CheckRedirect.
	sender := *c.HTTP
	sender.CheckRedirect = keepRedirects
	response, err := sender.Do(request)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	if response.StatusCode == http.StatusSwitchingProtocols {
		// The body of such a reply is the connection itself. No deadline holds for it.
		response.Body.Close()
		return nil, errors.New("client: HTTP 101, although the call asked for no other protocol")
	}
	if coding := response.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		response.Body.Close()
		return nil, fmt.Errorf("client: the reply has the Content-Encoding %s, although only identity was accepted", coding)
	}
	return response, nil
}

// readAll reads the body of a reply that is not streamed.
func readAll(response *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, maxReply+1))
	if err != nil {
		return nil, fmt.Errorf("client: reading the reply: %w", err)
	}
	if len(body) > maxReply {
		return nil, fmt.Errorf("client: the reply has more than %d bytes", maxReply)
	}
	return body, nil
}
