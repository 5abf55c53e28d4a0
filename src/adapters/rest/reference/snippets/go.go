package aggregator

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"time"
)

func Call(merchant, secret, method, url, target, body string) (*http.Response, error) {
	timestamp, nonce := fmt.Sprint(time.Now().UnixMilli()), rand.Text()
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%s.%s.%s.%s.%s", timestamp, nonce, method, target, body)
	request, err := http.NewRequest(method, url+target, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-Merchant-Id", merchant)
	request.Header.Set("X-Timestamp", timestamp)
	request.Header.Set("X-Nonce", nonce)
	request.Header.Set("X-Signature", fmt.Sprintf("%x", mac.Sum(nil)))
	request.Header.Set("Content-Type", "application/json")
	return http.DefaultClient.Do(request)
}
