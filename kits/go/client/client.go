// Package client calls the aggregator's API for merchants. Every call is signed, money is exact, lists and the feed of
// changes are iterators, and refusals are types.
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
)

// Client calls the API for one merchant. It is safe for concurrent use; make one for the whole process.
type Client struct {
	// base is the address without /v1, prefix its path, which is not signed.
	base     string
	merchant string
	secret   string
	// HTTP sends the calls. Change it before the first call, if at all: see Transport.
	HTTP *http.Client
	// Attempts of a call that may be repeated. The feed tries for ever.
	Attempts int
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
		HTTP:     &http.Client{Transport: Transport(), CheckRedirect: keepRedirects},
		Attempts: 5,
	}, nil
}

// Transport gives the transport of a new client, for those who want to change its proxy or TLS. It speaks HTTP/1.1,
// because with it nothing but the client repeats a call: each repeat needs a nonce of its own.
func Transport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ForceAttemptHTTP2 = false
	transport.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	transport.MaxIdleConnsPerHost = 16
	return transport
}

// keepRedirects hands a redirect to the caller. The signature would not fit its target.
func keepRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// call is one operation.
type call struct {
	method string
	// target from /v1 on, with its query.
	target string
	body   []byte
	// tag is sent as If-None-Match.
	tag string
	// once: the call must not be repeated.
	once bool
	// patient: the call is repeated until it succeeds, is refused for good, or ctx ends.
	patient bool
}

// errUnchanged is the reply 304 to a call with a tag.
var errUnchanged = errors.New("client: nothing changed since the reply with this tag")

// get sends a GET and reads `data` into data.
func (c *Client) get(ctx context.Context, target string, data any) error {
	_, err := c.do(ctx, call{method: http.MethodGet, target: target}, data)
	return err
}

// do sends a call, repeats it if it may be repeated, and reads `data` of the reply. It gives the reply's ETag.
func (c *Client) do(ctx context.Context, what call, data any) (tag string, err error) {
	err = c.repeat(ctx, what, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		response, err := c.send(ctx, what)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode == http.StatusNotModified {
			return errUnchanged
		}
		body, err := io.ReadAll(io.LimitReader(response.Body, maxReply))
		if err != nil {
			return fmt.Errorf("client: reading the reply: %w", err)
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
	// net/http repeats a GET on its own, with its old nonce, unless the request has a body that can't be read twice. This
	// one is empty, so nothing of it is sent.
	body := io.NopCloser(bytes.NewReader(what.body))
	request, err := http.NewRequestWithContext(ctx, what.method, c.base+what.target, body)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
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
	response, err := c.HTTP.Do(request)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	return response, nil
}
