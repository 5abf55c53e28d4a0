// Command client walks through a listing or the feed with the client that oapi-codegen generated as the package api.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"example.test/client/api"
)

// sign signs a request just before it is sent.
func sign(_ context.Context, request *http.Request) error {
	var body []byte
	if request.GetBody != nil {
		copied, err := request.GetBody()
		if err != nil {
			return err
		}
		if body, err = io.ReadAll(copied); err != nil {
			return err
		}
	}
	target := request.URL.RequestURI()
	target = target[strings.Index(target, "/v1"):]
	timestamp, nonce := strconv.FormatInt(time.Now().UnixMilli(), 10), make([]byte, 16)
	if _, err := rand.Read(nonce); err != nil {
		return err
	}
	mac := hmac.New(sha256.New, []byte(os.Getenv("SECRET")))
	fmt.Fprintf(mac, "%s.%x.%s.%s.%s", timestamp, nonce, request.Method, target, body)
	request.Header.Set("X-Merchant-Id", os.Getenv("MERCHANT"))
	request.Header.Set("X-Timestamp", timestamp)
	request.Header.Set("X-Nonce", hex.EncodeToString(nonce))
	request.Header.Set("X-Signature", hex.EncodeToString(mac.Sum(nil)))
	return nil
}

func main() {
	limit, err := strconv.Atoi(os.Getenv("LIMIT"))
	if err != nil {
		log.Fatal(err)
	}
	client, err := api.NewClientWithResponses(os.Getenv("BASE_URL"), api.WithRequestEditorFn(sign))
	if err != nil {
		log.Fatal(err)
	}
	isFeed := os.Args[1] == "feed"
	params := api.ListTransactionsParams{Limit: &limit}
	if isFeed {
		since := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
		params.UpdatedSince = &since
	}
	for {
		reply, err := client.ListTransactionsWithResponse(context.Background(), &params)
		if err != nil {
			log.Fatal(err)
		}
		if reply.JSON200 == nil {
			log.Fatalf("no page: %s", reply.Body)
		}
		page := reply.JSON200.Data
		for _, row := range page.Items {
			fields := map[string]any{
				"tx_id": row.TxId, "action": row.Action, "status": row.Status, "amount": fmt.Sprintf("%.2f", row.Amount),
			}
			if err := json.NewEncoder(os.Stdout).Encode(fields); err != nil {
				log.Fatal(err)
			}
		}
		if page.NextCursor == nil || isFeed && params.Cursor != nil && *page.NextCursor == *params.Cursor {
			return
		}
		params.Cursor = page.NextCursor
	}
}
