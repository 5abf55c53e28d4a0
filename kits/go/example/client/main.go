// A client program. Its argument selects the output: transactions, feed, error, operations, rounds or launches. It
// prints one JSON object per line.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"aggregator.example/kits/go/client"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, args []string) error {
	programs := map[string]func(context.Context, *client.Client, int) error{
		"transactions": transactions, "feed": feed, "error": failure, "operations": operations,
		"rounds": rounds, "launches": launches,
	}
	if len(args) != 1 || programs[args[0]] == nil {
		return errors.New("give one argument: transactions, feed, error, operations, rounds or launches")
	}
	c, err := client.New(os.Getenv("BASE_URL"), os.Getenv("MERCHANT"), os.Getenv("SECRET"))
	if err != nil {
		return err
	}
	if milliseconds, err := strconv.Atoi(os.Getenv("TIMEOUT_MS")); err == nil {
		c.Timeout = time.Duration(milliseconds) * time.Millisecond
	}
	limit, err := strconv.Atoi(os.Getenv("LIMIT"))
	if err != nil {
		return fmt.Errorf("LIMIT: %w", err)
	}
	return programs[args[0]](ctx, c, limit)
}

// line prints one JSON object. Standard output is not buffered.
func line(fields any) error { return json.NewEncoder(os.Stdout).Encode(fields) }

type row struct {
	TxID   string `json:"tx_id"`
	Action string `json:"action"`
	Status string `json:"status"`
	Amount string `json:"amount"`
}

func transactions(ctx context.Context, c *client.Client, limit int) error {
	for tx, err := range c.Transactions(ctx, client.TransactionFilter{Limit: limit}) {
		if err != nil {
			return err
		}
		if err := line(row{tx.TxID, tx.Action, tx.Status, tx.Amount.Fixed(2)}); err != nil {
			return err
		}
	}
	return nil
}

type change struct {
	Cursor string `json:"cursor"`
	TxID   string `json:"tx_id"`
	Status string `json:"status"`
}

func feed(ctx context.Context, c *client.Client, limit int) error {
	file := os.Getenv("CURSOR_FILE")
	stored, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for page, err := range c.Changes(ctx, client.FeedFilter{Cursor: string(stored), Limit: limit}) {
		if err != nil {
			return err
		}
		for _, tx := range page.Items {
			if err := line(change{page.Cursor, tx.TxID, tx.Status}); err != nil {
				return err
			}
		}
		if err := replace(file, page.Cursor); err != nil {
			return err
		}
		if len(page.Items) == 0 {
			break
		}
	}
	return nil
}

// replace writes a file. After a crash the file has either the old content or the new content.
func replace(file, content string) error {
	if err := os.WriteFile(file+".new", []byte(content), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

func failure(ctx context.Context, c *client.Client, _ int) error {
	_, err := c.Transaction(ctx, "ACME:there-is-none")
	var refused *client.APIError
	if !errors.As(err, &refused) {
		return fmt.Errorf("expected a refusal, got %w", err)
	}
	kind := strings.TrimPrefix(fmt.Sprintf("%T", err), "client.")
	return line(map[string]string{"type": kind, "code": refused.Code, "request_id": refused.RequestID})
}
