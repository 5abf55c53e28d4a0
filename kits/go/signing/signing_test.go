package signing

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

type vectors struct {
	Secret string
	Cases  []struct {
		Name, Timestamp, Nonce, Method, Target, Body, Signature, Reason string
		Valid                                                           bool
	}
}

// at is the time in the test vectors.
var at = time.UnixMilli(1767225600000)

// readVectors reads the test vectors. The server's tests use the same file.
func readVectors(t *testing.T) vectors {
	t.Helper()
	text, err := os.ReadFile("../../../test/domain/signing/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var read vectors
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if len(read.Cases) < 25 {
		t.Fatalf("only %d vectors", len(read.Cases))
	}
	return read
}

func headers(timestamp, nonce, signature string) http.Header {
	header := http.Header{}
	header.Set(HeaderTimestamp, timestamp)
	header.Set(HeaderNonce, nonce)
	header.Set(HeaderSignature, signature)
	return header
}

func TestTheVectorsAreSignedAndVerified(t *testing.T) {
	read := readVectors(t)
	for _, c := range read.Cases {
		err := Verify([]string{read.Secret}, headers(c.Timestamp, c.Nonce, c.Signature), c.Method, c.Target, []byte(c.Body), at)
		if !c.Valid {
			want := map[string]error{"invalid_timestamp": ErrInvalidTimestamp, "invalid_nonce": ErrInvalidNonce}[c.Reason]
			if want == nil {
				want = ErrInvalidSignature
			}
			if !errors.Is(err, want) {
				t.Errorf("%s: %v; want %v", c.Name, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		signed := SignAt(read.Secret, c.Method, c.Target, []byte(c.Body), at, c.Nonce)
		if got := signed.Get(HeaderSignature); got != c.Signature {
			t.Errorf("%s: signed %s; want %s", c.Name, got, c.Signature)
		}
	}
}

func TestATimestampMayBeFiveMinutesOff(t *testing.T) {
	header := SignAt("sk_a", "POST", "/", nil, at, NewNonce())
	for off, want := range map[time.Duration]error{
		0: nil, Tolerance: nil, -Tolerance: nil,
		Tolerance + time.Millisecond: ErrTimestampOutOfRange, -Tolerance - time.Millisecond: ErrTimestampOutOfRange,
	} {
		if err := Verify([]string{"sk_a"}, header, "POST", "/", nil, at.Add(off)); !errors.Is(err, want) {
			t.Errorf("%s off: %v; want %v", off, err, want)
		}
	}
}

func TestEitherSignatureMayFitAnySecret(t *testing.T) {
	sign := func(secret string) string {
		return SignAt(secret, "POST", "/w?b=1", []byte("{}"), at, strings.Repeat("n", 16)).Get(HeaderSignature)
	}
	for _, c := range []struct {
		name, signature, next string
		secrets               []string
		genuine               bool
	}{
		{"the one secret", sign("old"), "", []string{"old"}, true},
		{"the old secret of two", sign("old"), sign("new"), []string{"old", "new"}, true},
		{"only the old one is known", sign("old"), sign("new"), []string{"old"}, true},
		{"only the new one is known", sign("old"), sign("new"), []string{"new"}, true},
		{"the new secret signs, both are known", sign("new"), "", []string{"old", "new"}, true},
		{"neither is known", sign("old"), sign("new"), []string{"third"}, false},
		{"there is no secret", sign("old"), sign("new"), nil, false},
		{"an empty secret proves nothing", sign(""), "", []string{""}, false},
		{"an empty secret beside another one", sign("old"), sign(""), []string{"", "new"}, false},
		{"a secret beside an empty one", sign("new"), "", []string{"", "new"}, true},
		{"X-Signature-Next alone", "", sign("new"), []string{"new"}, true},
		{"X-Signature-Next alone, which does not fit", "", sign("new"), []string{"old"}, false},
		{"X-Signature-Next has a wrong form", sign("old"), strings.ToUpper(sign("new")), []string{"new"}, false},
	} {
		header := headers("1767225600000", strings.Repeat("n", 16), c.signature)
		if c.next != "" {
			header.Set(HeaderSignatureNext, c.next)
		}
		err := Verify(c.secrets, header, "POST", "/w?b=1", []byte("{}"), at)
		if (err == nil) != c.genuine {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestAHeaderThatIsMissingOrRepeatedIsRefused(t *testing.T) {
	for _, name := range []string{HeaderTimestamp, HeaderNonce, HeaderSignature} {
		header := SignAt("sk_a", "POST", "/", nil, at, NewNonce())
		header.Add(name, header.Get(name))
		if err := Verify([]string{"sk_a"}, header, "POST", "/", nil, at); !errors.Is(err, ErrHeadersMissing) {
			t.Errorf("%s twice: %v", name, err)
		}
		header.Del(name)
		if err := Verify([]string{"sk_a"}, header, "POST", "/", nil, at); !errors.Is(err, ErrHeadersMissing) {
			t.Errorf("no %s: %v", name, err)
		}
	}
}

func TestEachRequestHasATimeAndANonceOfItsOwn(t *testing.T) {
	first, second := Sign("sk_a", "GET", "/v1/merchant", nil), Sign("sk_a", "GET", "/v1/merchant", nil)
	if first.Get(HeaderNonce) == second.Get(HeaderNonce) {
		t.Error("a nonce came twice")
	}
	for _, header := range []http.Header{first, second} {
		if err := Verify([]string{"sk_a"}, header, "GET", "/v1/merchant", nil, time.Now()); err != nil {
			t.Error(err)
		}
	}
}
