// Package sqlstore stores a wallet's players and transactions in a database, over database/sql. You choose and import
// the driver.
package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"time"

	"aggregator.example/kits/go/wallet"
)

//go:embed schema/*.sql
var schemas embed.FS

// Dialect names the kind of database.
type Dialect string

// The kinds of databases. MySQL includes MariaDB.
const (
	SQLite     Dialect = "sqlite"
	MySQL      Dialect = "mysql"
	PostgreSQL Dialect = "postgresql"
)

const (
	// attempts is the maximum number of attempts of one transaction.
	attempts = 4
	// maxPause is the longest pause before the next attempt.
	maxPause = 50 * time.Millisecond
)

// Store is a wallet.Storage in a database. Limit SQLite to one connection (db.SetMaxOpenConns(1)): SQLite has one
// writer at a time, and waiting for a connection is fairer than waiting for the file.
type Store struct {
	db      *sql.DB
	dialect Dialect
}

// New makes a store. CreateTables creates its tables; your own migrations can also do it from schema/.
func New(db *sql.DB, dialect Dialect) *Store {
	return &Store{db, dialect}
}

// CreateTables creates the missing tables.
func (s *Store) CreateTables(ctx context.Context) error {
	schema, err := schemas.ReadFile("schema/" + string(s.dialect) + ".sql")
	if err != nil {
		return fmt.Errorf("sqlstore: %q is none of the dialects SQLite, MySQL and PostgreSQL", s.dialect)
	}
	for _, statement := range strings.SplitAfter(string(schema), ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := s.db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("sqlstore: creating tables: %w", err)
		}
	}
	return nil
}

// AddPlayer stores a player, unless a player with this id exists.
func (s *Store) AddPlayer(ctx context.Context, merchant string, player wallet.Player) error {
	_, failed := s.db.ExecContext(ctx,
		s.bind(`INSERT INTO wallet_players (merchant, player_id, balance, blocked) VALUES (?, ?, ?, ?)`),
		merchant, player.ID, player.Balance, player.Blocked)
	if failed == nil {
		return nil
	}
	if there, err := s.Player(ctx, merchant, player.ID); err == nil && there != nil {
		return nil
	}
	return fmt.Errorf("sqlstore: adding a player: %w", failed)
}

// Player is part of wallet.Storage.
func (s *Store) Player(ctx context.Context, merchant, playerID string) (*wallet.Player, error) {
	return s.player(ctx, s.db, merchant, playerID)
}

// querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (s *Store) player(ctx context.Context, in querier, merchant, playerID string) (*wallet.Player, error) {
	player := wallet.Player{ID: playerID}
	err := in.QueryRowContext(ctx,
		s.bind(`SELECT balance, blocked FROM wallet_players WHERE merchant = ? AND player_id = ?`),
		merchant, playerID).Scan(&player.Balance, &player.Blocked)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &player, err
}

// Transact is part of wallet.Storage. It retries after any error: a deadlock, a duplicate id, a lost connection. A
// retry is safe even if the failed transaction was in fact committed, because the wallet's work then finds its own
// reply.
func (s *Store) Transact(ctx context.Context, merchant, playerID string, work func(wallet.Tx) error) error {
	for n := 1; ; n++ {
		err := s.attempt(ctx, merchant, playerID, work)
		if err == nil || n == attempts || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(rand.Int63n(int64(maxPause)))):
		}
	}
}

func (s *Store) attempt(ctx context.Context, merchant, playerID string, work func(wallet.Tx) error) error {
	var options *sql.TxOptions
	if s.dialect != SQLite {
		// The default level of MySQL could read data that is older than the lock on the player.
		options = &sql.TxOptions{Isolation: sql.LevelReadCommitted}
	}
	tx, err := s.db.BeginTx(ctx, options)
	if err != nil {
		return err
	}
	// After a commit the rollback has no effect.
	defer func() { _ = tx.Rollback() }()
	// An UPDATE locks the row in every database. In SQLite it gets the write lock before the transaction reads anything.
	lock := s.bind(`UPDATE wallet_players SET balance = balance WHERE merchant = ? AND player_id = ?`)
	if _, err := tx.ExecContext(ctx, lock, merchant, playerID); err != nil {
		return err
	}
	player, err := s.player(ctx, tx, merchant, playerID)
	if err != nil {
		return err
	}
	if err := work(&transaction{ctx, s, tx, merchant, player}); err != nil {
		return err
	}
	return tx.Commit()
}

// bind writes the placeholders in the form that the database needs.
func (s *Store) bind(query string) string {
	if s.dialect != PostgreSQL {
		return query
	}
	parts := strings.Split(query, "?")
	for i := range parts[1:] {
		parts[i] += "$" + strconv.Itoa(i+1)
	}
	return strings.Join(parts, "")
}
