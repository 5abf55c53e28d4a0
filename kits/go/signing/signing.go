// Package signing signs calls to the aggregator and checks its callbacks. Both use the same formula: HMAC-SHA256 over
// timestamp, nonce, method, target and body.
package signing

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// The headers of a signed request.
const (
	HeaderMerchant  = "X-Merchant-Id"
	HeaderTimestamp = "X-Timestamp"
	HeaderNonce     = "X-Nonce"
	HeaderSignature = "X-Signature"
	// HeaderSignatureNext is sent with a callback while a secret is being changed. It has the signature by the new
	// secret, and HeaderSignature has the signature by the old secret.
	HeaderSignatureNext = "X-Signature-Next"
)

// Tolerance is the largest difference between a timestamp and the clock, in both directions.
const Tolerance = 5 * time.Minute

// The reasons why Verify refuses a request.
var (
	ErrHeadersMissing      = errors.New("signing: a header is missing, empty or repeated")
	ErrInvalidTimestamp    = errors.New("signing: X-Timestamp has not 13 digits (milliseconds since 1970)")
	ErrTimestampOutOfRange = errors.New("signing: X-Timestamp is more than 5 minutes off; check the clock")
	ErrInvalidNonce        = errors.New("signing: X-Nonce has not 16 to 64 of A-Z a-z 0-9 _ -")
	ErrInvalidSignature    = errors.New("signing: no signature fits a known secret")
)

var (
	timestampForm = regexp.MustCompile(`^[0-9]{13}$`)
	nonceForm     = regexp.MustCompile(`^[A-Za-z0-9_-]{16,64}$`)
	signatureForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// Signature computes X-Signature: 64 lowercase hex digits.
//
//   - secret: the text as the aggregator showed it. Nothing is decoded.
//   - timestamp: milliseconds since 1970, 13 digits.
//   - method: upper case.
//   - target: path and query, byte by byte as sent.
//   - body: the raw bytes, nil without a body.
func Signature(secret, timestamp, nonce, method, target string, body []byte) string {
	return hex.EncodeToString(sum(secret, timestamp, nonce, method, target, body))
}

func sum(secret, timestamp, nonce, method, target string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "." + nonce + "." + method + "." + target + "."))
	mac.Write(body)
	return mac.Sum(nil)
}

// Sign returns the three signed headers of a new request: timestamp, nonce and signature. A nonce is accepted once, so
// sign each repeat of a request anew.
func Sign(secret, method, target string, body []byte) http.Header {
	return SignAt(secret, method, target, body, time.Now(), NewNonce())
}

// SignAt signs like Sign, with a given time and nonce.
func SignAt(secret, method, target string, body []byte, at time.Time, nonce string) http.Header {
	timestamp := strconv.FormatInt(at.UnixMilli(), 10)
	header := http.Header{}
	header.Set(HeaderTimestamp, timestamp)
	header.Set(HeaderNonce, nonce)
	header.Set(HeaderSignature, Signature(secret, timestamp, nonce, method, target, body))
	return header
}

// NewNonce returns 32 random hex digits.
func NewNonce() string {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		panic(err) // The operating system has no randomness. Nothing can be signed safely.
	}
	return hex.EncodeToString(random)
}

// Verify checks a callback. A nil error means that the callback is genuine: X-Signature or X-Signature-Next is right
// for one of the secrets. Call Verify before you use anything else of the callback.
// - secrets: the secrets of the merchant that X-Merchant-Id names: two while a secret is being changed, otherwise one.
//   - target: path and query of the request line, as received (in net/http: Request.RequestURI).
//   - body: the raw bytes, before any parser.
func Verify(secrets []string, header http.Header, method, target string, body []byte, now time.Time) error {
	timestamp, nonce := single(header, HeaderTimestamp), single(header, HeaderNonce)
	signature, next := single(header, HeaderSignature), single(header, HeaderSignatureNext)
	if timestamp == "" || nonce == "" || signature == "" && next == "" {
		return ErrHeadersMissing
	}
	if !timestampForm.MatchString(timestamp) {
		return ErrInvalidTimestamp
	}
	milliseconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return ErrInvalidTimestamp
	}
	if off := now.UnixMilli() - milliseconds; off > Tolerance.Milliseconds() || off < -Tolerance.Milliseconds() {
		return ErrTimestampOutOfRange
	}
	// A dot separates the parts of the signed text, so a nonce with a dot would make the parts ambiguous.
	if !nonceForm.MatchString(nonce) {
		return ErrInvalidNonce
	}
	for _, secret := range secrets {
		// Anybody can sign with an empty secret. A secret that is not configured must therefore match nothing.
		if secret == "" {
			continue
		}
		expected := sum(secret, timestamp, nonce, method, target, body)
		if fits(signature, expected) || fits(next, expected) {
			return nil
		}
	}
	return ErrInvalidSignature
}

// fits compares in constant time.
func fits(signature string, expected []byte) bool {
	if !signatureForm.MatchString(signature) {
		return false
	}
	given, err := hex.DecodeString(signature)
	return err == nil && hmac.Equal(given, expected)
}

// single returns the header's only value; "" when the header is absent or repeated.
func single(header http.Header, name string) string {
	values := header.Values(name)
	if len(values) != 1 {
		return ""
	}
	return values[0]
}
