// A complete wallet program: it answers callbacks on 127.0.0.1:PORT/wallet until SIGTERM.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"aggregator.example/kits/go/example/sqlite"
	"aggregator.example/kits/go/wallet"
)

// books is a storage to which players can be added.
type books interface {
	wallet.Storage
	AddPlayer(ctx context.Context, merchant string, player wallet.Player) error
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	var merchantList []wallet.Merchant
	if err := json.Unmarshal([]byte(os.Getenv("MERCHANTS")), &merchantList); err != nil {
		return fmt.Errorf("MERCHANTS: %w", err)
	}
	merchants, err := wallet.Fixed(merchantList...)
	if err != nil {
		return fmt.Errorf("MERCHANTS: %w", err)
	}
	storage, err := openBooks(ctx, os.Getenv("DATABASE"))
	if err != nil {
		return fmt.Errorf("DATABASE: %w", err)
	}
	if err := addPlayers(ctx, storage, os.Getenv("PLAYERS")); err != nil {
		return fmt.Errorf("PLAYERS: %w", err)
	}
	return serve(ctx, "127.0.0.1:"+os.Getenv("PORT"), wallet.New(merchants, storage))
}

func openBooks(ctx context.Context, file string) (books, error) {
	if file == "" {
		return wallet.NewMemory(), nil
	}
	return sqlite.Open(ctx, file)
}

func addPlayers(ctx context.Context, storage books, list string) error {
	var players []struct {
		Merchant string `json:"merchant"`
		ID       string `json:"id"`
		Balance  int64  `json:"balance_minor"`
		Blocked  bool   `json:"blocked"`
	}
	if err := json.Unmarshal([]byte(list), &players); err != nil {
		return err
	}
	for _, p := range players {
		if err := storage.AddPlayer(ctx, p.Merchant, wallet.Player{ID: p.ID, Balance: p.Balance, Blocked: p.Blocked}); err != nil {
			return err
		}
	}
	return nil
}

// serve answers callbacks until ctx ends. It finishes the callbacks that have begun.
func serve(ctx context.Context, address string, w *wallet.Wallet) error {
	routes := http.NewServeMux()
	routes.Handle("/wallet", w)
	server := &http.Server{Handler: routes, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	fmt.Printf("listening on http://%s/wallet\n", listener.Addr())
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.Background(), 8*time.Second)
	defer cancel()
	if err := server.Shutdown(end); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
