package wallet

import "context"

// Storage keeps the wallet's books: players, transactions with their replies, tombstones. Everything is scoped by
// merchant, texts are compared byte by byte, and amounts are minor units. storagetest.Run checks an implementation.
type Storage interface {
	// Player gives a player as stored now, or nil.
	Player(ctx context.Context, merchant, playerID string) (*Player, error)

	// Transact runs work in one transaction that has locked the player, if there is one. All that work wrote is stored
	// when it returns nil, else nothing. After a conflict, such as two transactions of one id at once, Transact starts
	// anew and calls work again, so work must have no effect but through Tx.
	Transact(ctx context.Context, merchant, playerID string, work func(Tx) error) error
}

// Tx is what the rules of a wallet need of a storage transaction.
type Tx interface {
	// Player is the locked player, nil when there is none.
	Player() *Player
	// SetBalance stores the locked player's balance.
	SetBalance(minor int64) error
	// Transaction gives what is stored under an id: an applied transaction or a kept rejection, else nil.
	Transaction(txID string) (*Transaction, error)
	// Record stores a transaction. Its id is unique at the merchant, and so is RefTxID where it is not empty.
	Record(Transaction) error
	// IsReversed tells whether an applied transaction has this RefTxID.
	IsReversed(refTxID string) (bool, error)
	// IsTombstone tells whether the id has a tombstone.
	IsTombstone(txID string) (bool, error)
	// AddTombstone marks an id that must never be applied. It may have a tombstone already.
	AddTombstone(txID string) error
}

// Player is a player's account.
type Player struct {
	// ID as the aggregator got it at launch.
	ID string
	// Balance in minor units; it may be negative.
	Balance int64
	// Blocked players can't bet. They still get wins and refunds.
	Blocked bool
}

// Transaction is an applied transaction, or the kept rejection of a bet or rollback.
type Transaction struct {
	TxID     string
	Action   string
	PlayerID string
	// Amount in minor units.
	Amount int64
	// RefTxID is what an applied refund or rollback reversed, else empty. A rejected reversal reverses nothing.
	RefTxID string
	// Applied is false for a rejection.
	Applied bool
	// Reply is the JSON that a repeat is answered with.
	Reply []byte
}
