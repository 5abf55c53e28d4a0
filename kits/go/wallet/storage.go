package wallet

import "context"

// Storage stores the wallet's data: players, transactions with their replies, tombstones. All ids are per merchant,
// texts are compared byte by byte, and amounts are minor units. storagetest.Run checks an implementation.
type Storage interface {
	// Player returns the player as stored now, or nil.
	Player(ctx context.Context, merchant, playerID string) (*Player, error)

	// Transact runs work in one transaction that locks the player, if the player exists. If work returns nil, all its
	// changes are stored. If work returns an error, no change is stored. After a conflict, such as two transactions with
	// the same id at once, Transact calls work again. So work must change nothing except through Tx.
	Transact(ctx context.Context, merchant, playerID string, work func(Tx) error) error
}

// Tx has the operations that the wallet's rules need in a storage transaction.
type Tx interface {
	// Player is the locked player; nil when the player does not exist.
	Player() *Player
	// SetBalance stores the locked player's balance.
	SetBalance(minor int64) error
	// Transaction returns the stored transaction with this id: an applied transaction or a kept rejection. nil: there is
	// none.
	Transaction(txID string) (*Transaction, error)
	// Record stores a transaction. Its TxID is unique at the merchant. A RefTxID that is not empty is unique, too.
	Record(Transaction) error
	// IsReversed returns whether an applied transaction has this RefTxID.
	IsReversed(refTxID string) (bool, error)
	// IsTombstone returns whether the id has a tombstone.
	IsTombstone(txID string) (bool, error)
	// AddTombstone marks an id that must never be applied. The id may have a tombstone already.
	AddTombstone(txID string) error
}

// Player is a player's account.
type Player struct {
	// ID is the player's id that you gave at launch.
	ID string
	// Balance is in minor units. It may be negative.
	Balance int64
	// Blocked players can't bet. They still get wins and refunds.
	Blocked bool
}

// Transaction is an applied transaction, or the kept rejection of a bet or rollback.
type Transaction struct {
	TxID     string
	Action   string
	PlayerID string
	// Amount is in minor units.
	Amount int64
	// RefTxID is the transaction that an applied refund or rollback reversed. It is empty for every other transaction.
	RefTxID string
	// Applied is false for a rejection.
	Applied bool
	// Reply is the JSON answer. A repeat gets the same answer.
	Reply []byte
}
