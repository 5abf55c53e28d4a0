// Generated out of contract/transactions/ by `npm run generate`. Do not edit.

package client

import (
	"time"

	"aggregator.example/kits/go/money"
)

// Jackpot is a jackpot by the provider's names. Tier is nil if it has no tiers.
type Jackpot struct {
	ID   string  `json:"id"`
	Tier *string `json:"tier"`
}

// Transaction is a transaction that was sent to your wallet, with its result. A nil field is absent.
type Transaction struct {
	// TxID: The idempotency key, unique for the merchant.
	TxID string `json:"tx_id"`
	// RoundID: The round's id; for the sportsbook, the bet's id.
	RoundID string `json:"round_id"`
	// RefTxID: The bet or win that a refund or rollback reverses.
	RefTxID *string `json:"ref_tx_id"`
	// Action: bet, win, refund or rollback.
	Action string `json:"action"`
	// Amount: Above 0, in the major unit, exact. The action shows whether the balance goes up or down.
	Amount money.Amount `json:"amount"`
	// Currency: The merchant's currency.
	Currency string `json:"currency"`
	// Status: success, pending or failed.
	Status string `json:"status"`
	// Error: The code of the wallet's rejection.
	Error *string `json:"error"`
	// Provider: The provider's code.
	Provider string `json:"provider"`
	// Game: The game's code.
	Game string `json:"game"`
	// PlayerID: The player's id, as the merchant sent it at the launch.
	PlayerID string `json:"player_id"`
	// Balance: The balance in the wallet's reply. It is not the player's balance now.
	Balance *money.Amount `json:"balance"`
	// Attempts: How often the service has called the wallet for this transaction.
	Attempts int `json:"attempts"`
	// LastResult: How the last of these calls ended. Absent: none has ended.
	LastResult *string `json:"last_result"`
	// NextAttemptAt: The time of the next automatic call. Absent: no call is planned.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	// ResolvedBy: What made the state final. Absent: the first call, or the transaction is pending.
	ResolvedBy *string `json:"resolved_by"`
	// CreatedAt: When the transaction reached the service.
	CreatedAt time.Time `json:"created_at"`
	// UpdatedAt: When the transaction last changed.
	UpdatedAt time.Time `json:"updated_at"`
	// Kind: What the money is for. Absent: an ordinary bet or win, or a reversal.
	Kind *string `json:"kind"`
	// PromoID: The provider's id for the promotion.
	PromoID *string `json:"promo_id"`
	// Jackpot: The jackpot that a bet pays into, or that pays the win.
	Jackpot *Jackpot `json:"jackpot"`
	// JackpotContributionMicros: The part of a bet for the jackpot, in millionths of the major unit.
	JackpotContributionMicros *int64 `json:"jackpot_contribution_micros"`
	// SettledBy: The win that is the only settlement of this bet. A settlement of 0 is in no list.
	SettledBy *string `json:"settled_by"`
	// AttemptLog: the calls of the wallet. Only Client.Transaction fills it.
	AttemptLog []Attempt `json:"attempt_log"`
}
