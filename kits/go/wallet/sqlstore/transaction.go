package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"aggregator.example/kits/go/wallet"
)

// transaction is a wallet.Tx in a database.
type transaction struct {
	ctx      context.Context
	store    *Store
	tx       *sql.Tx
	merchant string
	player   *wallet.Player
}

func (t *transaction) Player() *wallet.Player { return t.player }

func (t *transaction) SetBalance(minor int64) error {
	if t.player == nil {
		return errors.New("sqlstore: there is no player to set a balance of")
	}
	return t.exec(`UPDATE wallet_players SET balance = ? WHERE merchant = ? AND player_id = ?`, minor, t.merchant, t.player.ID)
}

func (t *transaction) Transaction(txID string) (*wallet.Transaction, error) {
	found := wallet.Transaction{TxID: txID}
	var ref sql.NullString
	err := t.row(`SELECT action, player_id, amount, ref_tx_id, applied, reply FROM wallet_transactions
		WHERE merchant = ? AND tx_id = ?`, t.merchant, txID).
		Scan(&found.Action, &found.PlayerID, &found.Amount, &ref, &found.Applied, &found.Reply)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	found.RefTxID = ref.String
	return &found, err
}

func (t *transaction) Record(r wallet.Transaction) error {
	return t.exec(`INSERT INTO wallet_transactions
		(merchant, tx_id, action, player_id, amount, ref_tx_id, applied, reply, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		t.merchant, r.TxID, r.Action, r.PlayerID, r.Amount, sql.NullString{String: r.RefTxID, Valid: r.RefTxID != ""},
		r.Applied, string(r.Reply), time.Now().UnixMilli())
}

func (t *transaction) IsReversed(refTxID string) (bool, error) {
	return t.exists(`SELECT 1 FROM wallet_transactions WHERE merchant = ? AND ref_tx_id = ?`, t.merchant, refTxID)
}

func (t *transaction) IsTombstone(txID string) (bool, error) {
	return t.exists(`SELECT 1 FROM wallet_tombstones WHERE merchant = ? AND tx_id = ?`, t.merchant, txID)
}

func (t *transaction) AddTombstone(txID string) error {
	if there, err := t.IsTombstone(txID); there || err != nil {
		return err
	}
	return t.exec(`INSERT INTO wallet_tombstones (merchant, tx_id) VALUES (?, ?)`, t.merchant, txID)
}

func (t *transaction) exec(query string, args ...any) error {
	_, err := t.tx.ExecContext(t.ctx, t.store.bind(query), args...)
	return err
}

func (t *transaction) row(query string, args ...any) *sql.Row {
	return t.tx.QueryRowContext(t.ctx, t.store.bind(query), args...)
}

func (t *transaction) exists(query string, args ...any) (bool, error) {
	var one int
	err := t.row(query, args...).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
