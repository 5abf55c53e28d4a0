package main

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"aggregator.example/kits/go/client"
)

// operations calls every operation except the listing and the feed, and prints some fields of each reply.
func operations(ctx context.Context, c *client.Client, _ int) error {
	player, provider, game := os.Getenv("PLAYER"), os.Getenv("PROVIDER"), os.Getenv("GAME")
	txID, roundID, day := os.Getenv("TX_ID"), os.Getenv("ROUND_ID"), os.Getenv("DAY")
	for _, operation := range []struct {
		name string
		run  func() (string, error)
	}{
		{"merchant", func() (string, error) {
			merchant, err := c.Merchant(ctx)
			return merchant.Currency, err
		}},
		{"launch", func() (string, error) {
			launch, err := c.Launch(ctx, client.LaunchRequest{PlayerID: player, Game: game})
			return launch.Provider, err
		}},
		{"games", func() (string, error) {
			return codes(c.Games(ctx, client.GamesFilter{Limit: 1}), func(g client.Game) string { return g.Code })
		}},
		{"game", func() (string, error) {
			game, err := c.Game(ctx, provider, game, "")
			return game.Name, err
		}},
		{"providers", func() (string, error) {
			return codes(c.Providers(ctx, 1), func(p client.Provider) string { return p.Code })
		}},
		{"transaction", func() (string, error) {
			tx, err := c.Transaction(ctx, txID)
			return tx.TxID, err
		}},
		{"round", func() (string, error) {
			round, err := c.Round(ctx, provider, roundID, 0, "")
			return round.Sums.Bets.Fixed(2), err
		}},
		{"resend", func() (string, error) {
			_, err := c.Resend(ctx, txID)
			var refused client.ConflictError
			if !errors.As(err, &refused) {
				return "", err
			}
			return refused.Code, nil
		}},
		{"report", func() (string, error) {
			report, err := c.GGR(ctx, client.ReportFilter{From: day, To: day})
			return report.Totals.GGR.Fixed(2), err
		}},
	} {
		value, err := operation.run()
		if err != nil {
			return err
		}
		if err := line(map[string]string{"operation": operation.name, "value": value}); err != nil {
			return err
		}
	}
	return nil
}

// launches launches the game for each player, with a pause after each launch, and prints what each call returned.
func launches(ctx context.Context, c *client.Client, _ int) error {
	// Without the variable there is no pause.
	pause, _ := strconv.Atoi(os.Getenv("PAUSE_MS"))
	for _, player := range strings.Split(os.Getenv("PLAYER"), ",") {
		launch, err := c.Launch(ctx, client.LaunchRequest{PlayerID: player, Game: os.Getenv("GAME")})
		fields := map[string]string{"player": player}
		if err == nil {
			fields["launch_url"] = launch.LaunchURL
		} else {
			fields["error"] = err.Error()
		}
		if err := line(fields); err != nil {
			return err
		}
		time.Sleep(time.Duration(pause) * time.Millisecond)
	}
	return nil
}

// codes joins the codes of a list.
func codes[T any](list client.Seq[T], code func(T) string) (string, error) {
	var all []string
	for item, err := range list {
		if err != nil {
			return "", err
		}
		all = append(all, code(item))
	}
	return strings.Join(all, ","), nil
}
