package wallet

import (
	"context"
	"fmt"
	"sync"
)

// Memory is a Storage in memory, for tests and first steps. Its content is lost when the process ends.
type Memory struct {
	mutex        sync.Mutex
	players      map[key]Player
	transactions map[key]Transaction
	reversed     map[key]bool
	tombstones   map[key]bool
}

// key is the id of a player or transaction at a merchant.
type key struct{ merchant, id string }

// NewMemory makes an empty Memory.
func NewMemory() *Memory {
	return &Memory{
		players:      map[key]Player{},
		transactions: map[key]Transaction{},
		reversed:     map[key]bool{},
		tombstones:   map[key]bool{},
	}
}

// AddPlayer stores a player, unless a player with this id exists.
func (m *Memory) AddPlayer(_ context.Context, merchant string, player Player) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	at := key{merchant, player.ID}
	if _, ok := m.players[at]; !ok {
		m.players[at] = player
	}
	return nil
}

// Player is part of Storage.
func (m *Memory) Player(_ context.Context, merchant, playerID string) (*Player, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return find(m.players, key{merchant, playerID}), nil
}

// Transact is part of Storage. One lock covers all players.
func (m *Memory) Transact(ctx context.Context, merchant, playerID string, work func(Tx) error) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	tx := &memoryTx{memory: m, merchant: merchant, player: find(m.players, key{merchant, playerID})}
	if err := work(tx); err != nil {
		return err
	}
	for _, write := range tx.writes {
		write()
	}
	return nil
}

func find[V any](in map[key]V, at key) *V {
	value, ok := in[at]
	if !ok {
		return nil
	}
	return &value
}

// memoryTx collects the changes. They are written when the work is done.
type memoryTx struct {
	memory   *Memory
	merchant string
	player   *Player
	writes   []func()
}

func (tx *memoryTx) Player() *Player { return tx.player }

func (tx *memoryTx) SetBalance(minor int64) error {
	if tx.player == nil {
		return fmt.Errorf("wallet: there is no player to set a balance of")
	}
	changed := *tx.player
	changed.Balance = minor
	tx.writes = append(tx.writes, func() { tx.memory.players[tx.at(changed.ID)] = changed })
	return nil
}

func (tx *memoryTx) Transaction(txID string) (*Transaction, error) {
	return find(tx.memory.transactions, tx.at(txID)), nil
}

func (tx *memoryTx) Record(t Transaction) error {
	if _, ok := tx.memory.transactions[tx.at(t.TxID)]; ok {
		return fmt.Errorf("wallet: transaction %q is stored already", t.TxID)
	}
	if t.RefTxID != "" && tx.memory.reversed[tx.at(t.RefTxID)] {
		return fmt.Errorf("wallet: transaction %q is reversed already", t.RefTxID)
	}
	tx.writes = append(tx.writes, func() {
		tx.memory.transactions[tx.at(t.TxID)] = t
		if t.RefTxID != "" {
			tx.memory.reversed[tx.at(t.RefTxID)] = true
		}
	})
	return nil
}

func (tx *memoryTx) IsReversed(refTxID string) (bool, error) {
	return tx.memory.reversed[tx.at(refTxID)], nil
}

func (tx *memoryTx) IsTombstone(txID string) (bool, error) {
	return tx.memory.tombstones[tx.at(txID)], nil
}

func (tx *memoryTx) AddTombstone(txID string) error {
	tx.writes = append(tx.writes, func() { tx.memory.tombstones[tx.at(txID)] = true })
	return nil
}

func (tx *memoryTx) at(id string) key { return key{tx.merchant, id} }
