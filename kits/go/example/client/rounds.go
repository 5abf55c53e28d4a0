package main

import (
	"context"
	"os"

	"aggregator.example/kits/go/client"
)

type endedRound struct {
	RoundID string `json:"round_id"`
	State   string `json:"state"`
}

type kindSum struct {
	Kind   string `json:"kind"`
	Amount string `json:"amount"`
}

// rounds prints the rounds that have ended, as their pages say, and the kinds of money of a day.
func rounds(ctx context.Context, c *client.Client, _ int) error {
	for one, err := range c.Rounds(ctx, client.RoundFilter{State: "ended", Limit: 1}) {
		if err != nil {
			return err
		}
		round, err := c.Round(ctx, one.Provider, one.RoundID, 0, "")
		if err != nil {
			return err
		}
		if err := line(endedRound{one.RoundID, round.State}); err != nil {
			return err
		}
	}
	day := os.Getenv("DAY")
	report, err := c.GGR(ctx, client.ReportFilter{From: day, To: day})
	if err != nil {
		return err
	}
	for _, part := range report.Totals.OfWhich {
		if err := line(kindSum{part.Action + " " + part.Kind, part.Amount.Fixed(2)}); err != nil {
			return err
		}
	}
	return nil
}
