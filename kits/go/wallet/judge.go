package wallet

import (
	"encoding/json"
	"fmt"
	"math"

	"aggregator.example/kits/go/money"
)

// The codes of rejections. The aggregator agrees on the first eight with providers. It passes any other code on unchanged.
const (
	InsufficientFunds   = "INSUFFICIENT_FUNDS"
	PlayerNotFound      = "PLAYER_NOT_FOUND"
	PlayerBlocked       = "PLAYER_BLOCKED"
	LimitReached        = "LIMIT_REACHED"
	SelfExcluded        = "SELF_EXCLUDED"
	SessionLimit        = "SESSION_LIMIT"
	GeoBlocked          = "GEO_BLOCKED"
	TransactionNotFound = "TRANSACTION_NOT_FOUND"
	TransactionReversed = "TRANSACTION_REVERSED"
	AlreadyReversed     = "ALREADY_REVERSED"
	AmountMismatch      = "AMOUNT_MISMATCH"
	CurrencyMismatch    = "CURRENCY_MISMATCH"
	InvalidRequest      = "INVALID_REQUEST"
)

// reply is the body of an answer.
type reply struct {
	OK      bool          `json:"ok"`
	Balance *money.Amount `json:"balance,omitempty"`
	Error   string        `json:"error,omitempty"`
}

func (r reply) json() []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // A bool, a number and a text can always be written.
	}
	return text
}

func rejected(code string) []byte {
	return reply{Error: code}.json()
}

func accepted(balance int64, currency string) ([]byte, error) {
	amount, err := money.FromMinor(balance, currency)
	if err != nil {
		return nil, err
	}
	return reply{OK: true, Balance: &amount}.json(), nil
}

// judge applies the wallet's rules to a bet, win, refund or rollback, inside a storage transaction. It returns the
// reply.
func judge(tx Tx, currency string, c callback) ([]byte, error) {
	stored, err := tx.Transaction(c.txID)
	if err != nil {
		return nil, err
	}
	if stored != nil {
		return stored.Reply, nil
	}
	code, err := objection(tx, currency, c)
	if err != nil {
		return nil, err
	}
	done := Transaction{TxID: c.txID, Action: c.action, PlayerID: c.playerID, Amount: c.amount}
	if code != "" {
		done.Reply = rejected(code)
		// A rejected win or refund is not recorded, because the aggregator sends it again on purpose and the wallet must
		// decide again. TRANSACTION_NOT_FOUND is not recorded either, because the original may still arrive.
		if !c.isDebit() || code == TransactionNotFound {
			return done.Reply, nil
		}
		return done.Reply, tx.Record(done)
	}
	balance, err := moved(tx.Player().Balance, c.amount, c.isDebit())
	if err != nil {
		return nil, err
	}
	if done.Reply, err = accepted(balance, currency); err != nil {
		return nil, err
	}
	done.Applied, done.RefTxID = true, c.refTxID
	if err := tx.SetBalance(balance); err != nil {
		return nil, err
	}
	return done.Reply, tx.Record(done)
}

// objection returns the code of the reason why a transaction can't be applied; "" when it can be applied.
func objection(tx Tx, currency string, c callback) (string, error) {
	player := tx.Player()
	isTombstone, err := tx.IsTombstone(c.txID)
	switch {
	case err != nil:
		return "", err
	case isTombstone:
		return TransactionReversed, nil
	case c.currency != currency:
		return CurrencyMismatch, nil
	case player == nil:
		return PlayerNotFound, nil
	case c.isReversal():
		return reversalObjection(tx, c)
	case c.action == ActionBet && player.Blocked:
		return PlayerBlocked, nil
	case c.action == ActionBet && player.Balance < c.amount:
		return InsufficientFunds, nil
	}
	return "", nil
}

// reversalObjection returns the reason why a refund or rollback can't be applied.
func reversalObjection(tx Tx, c callback) (string, error) {
	original, err := tx.Transaction(c.refTxID)
	if err != nil {
		return "", err
	}
	if original == nil || !original.Applied {
		// The original may still arrive, and the aggregator will not reverse it again. The tombstone prevents that it is
		// applied later.
		return TransactionNotFound, tx.AddTombstone(c.refTxID)
	}
	reverses := map[string]string{ActionRefund: ActionBet, ActionRollback: ActionWin}[c.action]
	if original.Action != reverses || original.PlayerID != c.playerID {
		return TransactionNotFound, nil
	}
	if original.Amount != c.amount {
		return AmountMismatch, nil
	}
	isReversed, err := tx.IsReversed(c.refTxID)
	if isReversed {
		return AlreadyReversed, err
	}
	return "", err
}

// moved returns the balance after a debit or credit. A rollback may make the balance negative.
func moved(balance, amount int64, isDebit bool) (int64, error) {
	if isDebit && balance < math.MinInt64+amount || !isDebit && balance > math.MaxInt64-amount {
		return 0, fmt.Errorf("a balance of %d can't be moved by %d", balance, amount)
	}
	if isDebit {
		return balance - amount, nil
	}
	return balance + amount, nil
}
