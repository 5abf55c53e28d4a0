package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// APIError is a refusal by the aggregator. Decide by Code. Each refusal also has one of the types below. errors.As
// finds both types: for example a NotFoundError and the *APIError in it.
type APIError struct {
	// Code is error.code, such as "TRANSACTION_NOT_FOUND". It is empty when the reply did not come from the aggregator,
	// but for example from a proxy.
	Code string
	// Status is the HTTP status.
	Status int
	// Message is Portuguese text for people.
	Message string
	// RequestID is the call's id. Give it to the aggregator's support.
	RequestID string
	// Details is error.details as received; nil if absent. Its form depends on the code.
	Details json.RawMessage
	// RetryAfter is the pause that the aggregator requests; 0 if it requests none.
	RetryAfter time.Duration
}

func (e *APIError) Error() string {
	code := e.Code
	if code == "" {
		code = "a reply that is not the aggregator's"
	}
	return fmt.Sprintf("aggregator: %s (HTTP %d, request %s): %s", code, e.Status, e.RequestID, e.Message)
}

// The types of refusals. The type depends on the code.
type (
	// AuthenticationError: the call's signature is wrong, or its timestamp differs too much from the aggregator's clock.
	AuthenticationError struct{ *APIError }
	// PermissionError: the merchant may not make this call, from this address, in this currency, or with this product.
	PermissionError struct{ *APIError }
	// NotFoundError: the game, transaction, round or path does not exist.
	NotFoundError struct{ *APIError }
	// ValidationError: fields or parameters are wrong. Faults lists all of them.
	ValidationError struct {
		*APIError
		Faults []FieldFault
	}
	// ConflictError: the state of a game, wallet or transaction does not allow this.
	ConflictError struct{ *APIError }
	// RateLimitedError: too many calls. Wait for RetryAfter.
	RateLimitedError struct{ *APIError }
	// UnavailableError: the aggregator, or a game's provider, can't work now. The same call may succeed later.
	UnavailableError struct{ *APIError }
	// RequestError: any other refusal. Change the call before you send it again.
	RequestError struct{ *APIError }
)

// FieldFault describes what is wrong with one field.
type FieldFault struct {
	// Field is "..." in the entry that gives the number of further faults.
	Field string `json:"field"`
	// Rule is for programs. Message is for people.
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

func (e AuthenticationError) Unwrap() error { return e.APIError }
func (e PermissionError) Unwrap() error     { return e.APIError }
func (e NotFoundError) Unwrap() error       { return e.APIError }
func (e ValidationError) Unwrap() error     { return e.APIError }
func (e ConflictError) Unwrap() error       { return e.APIError }
func (e RateLimitedError) Unwrap() error    { return e.APIError }
func (e UnavailableError) Unwrap() error    { return e.APIError }
func (e RequestError) Unwrap() error        { return e.APIError }

// refusal makes the error of a refused call from its reply.
func refusal(response *http.Response, body []byte) error {
	var envelope struct {
		Error struct {
			Code      string          `json:"code"`
			Message   string          `json:"message"`
			Details   json.RawMessage `json:"details"`
			RequestID string          `json:"request_id"`
		} `json:"error"`
	}
	// If the body is not JSON, the fields stay empty.
	_ = json.Unmarshal(body, &envelope)
	e := &APIError{
		Code:       envelope.Error.Code,
		Status:     response.StatusCode,
		Message:    envelope.Error.Message,
		RequestID:  envelope.Error.RequestID,
		Details:    envelope.Error.Details,
		RetryAfter: retryAfter(response.Header),
	}
	if e.RequestID == "" {
		e.RequestID = response.Header.Get("X-Request-Id")
	}
	switch {
	case e.Code == "VALIDATION_ERROR":
		var faults []FieldFault
		_ = json.Unmarshal(e.Details, &faults)
		return ValidationError{e, faults}
	case e.Status == http.StatusUnauthorized:
		return AuthenticationError{e}
	case e.Status == http.StatusForbidden:
		return PermissionError{e}
	case e.Status == http.StatusNotFound:
		return NotFoundError{e}
	case e.Status == http.StatusConflict, e.Code == "PROVIDER_NOT_SUPPORTED":
		return ConflictError{e}
	case e.Status == http.StatusTooManyRequests:
		return RateLimitedError{e}
	case e.Status >= http.StatusInternalServerError:
		return UnavailableError{e}
	}
	return RequestError{e}
}

// maxRetryAfter limits the pause that a proxy may request.
const maxRetryAfter = 5 * time.Minute

func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(min(seconds, 3600))*time.Second, maxRetryAfter)
}

// mayComeLater returns whether the same call may succeed later, and the minimum pause before it.
func mayComeLater(err error) (bool, time.Duration) {
	var refused *APIError
	if !errors.As(err, &refused) {
		// There was no reply.
		return true, 0
	}
	return refused.Status == http.StatusTooManyRequests || refused.Status >= http.StatusInternalServerError, refused.RetryAfter
}
