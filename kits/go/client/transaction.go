// Generated out of contract/transactions/ by `npm run generate`. Do not edit.

package client

import (
	"time"

	"aggregator.example/kits/go/money"
)

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
	// AttemptLog: the calls of the wallet. Only Client.Transaction fills it.
	AttemptLog []Attempt `json:"attempt_log"`
}
