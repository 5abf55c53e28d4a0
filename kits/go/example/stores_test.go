// Package example tests the kit's SQL storage in real databases. The kit itself needs no driver.
package example

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-sql-driver/mysql"
	_ "github.com/lib/pq"

	"aggregator.example/kits/go/example/sqlite"
	"aggregator.example/kits/go/wallet"
	"aggregator.example/kits/go/wallet/sqlstore"
	"aggregator.example/kits/go/wallet/storagetest"
)

func TestSQLite(t *testing.T) {
	storagetest.Run(t, func(t *testing.T) storagetest.Books {
		store, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "wallet ?#%.db"))
		if err != nil {
			t.Fatal(err)
		}
		return store
	})
}

func TestSQLiteWithManyConnections(t *testing.T) {
	storagetest.Run(t, func(t *testing.T) storagetest.Books {
		db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "wallet.db")+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(20000)")
		if err != nil {
			t.Fatal(err)
		}
		return createTables(t, sqlstore.New(db, sqlstore.SQLite))
	})
}

func TestMariaDB(t *testing.T) {
	socket := fromEnvironment(t, "MARIADB_SOCKET")
	databases := 0
	create := func(t *testing.T) *sqlstore.Store {
		databases++
		settings := mysql.NewConfig()
		settings.User, settings.Net, settings.Addr = "root", "unix", socket
		admin := open(t, settings)
		name := fmt.Sprintf("wallet_%d", databases)
		for _, statement := range []string{"DROP DATABASE IF EXISTS ", "CREATE DATABASE "} {
			if _, err := admin.Exec(statement + name); err != nil {
				t.Fatal(err)
			}
		}
		settings.DBName = name
		return createTables(t, sqlstore.New(open(t, settings), sqlstore.MySQL))
	}
	storagetest.Run(t, func(t *testing.T) storagetest.Books { return create(t) })
	readsCommitted(t, create)
}

func TestPostgreSQL(t *testing.T) {
	url := fromEnvironment(t, "POSTGRESQL_URL")
	create := func(t *testing.T) *sqlstore.Store {
		db, err := sql.Open("postgres", url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		db.SetMaxOpenConns(50)
		if _, err := db.Exec("DROP TABLE IF EXISTS wallet_tombstones, wallet_transactions, wallet_players"); err != nil {
			t.Fatal(err)
		}
		return createTables(t, sqlstore.New(db, sqlstore.PostgreSQL))
	}
	storagetest.Run(t, func(t *testing.T) storagetest.Books { return create(t) })
	readsCommitted(t, create)
}

func readsCommitted(t *testing.T, create func(t *testing.T) *sqlstore.Store) {
	t.Run("a transaction reads what another one has committed meanwhile", func(t *testing.T) {
		store, ctx := create(t), context.Background()
		win := wallet.Transaction{TxID: "w1", Action: wallet.ActionWin, PlayerID: "rui", Amount: 1, Applied: true, Reply: []byte("{}")}
		err := store.Transact(ctx, "shop", "ana", func(tx wallet.Tx) error {
			if found, err := tx.Transaction("w1"); found != nil || err != nil {
				return fmt.Errorf("before: %+v, %w", found, err)
			}
			if err := store.Transact(ctx, "shop", "rui", func(tx wallet.Tx) error { return tx.Record(win) }); err != nil {
				return err
			}
			if found, err := tx.Transaction("w1"); found == nil || err != nil {
				return fmt.Errorf("after: %+v, %w", found, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func open(t *testing.T, settings *mysql.Config) *sql.DB {
	t.Helper()
	connector, err := mysql.NewConnector(settings)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func createTables(t *testing.T, store *sqlstore.Store) *sqlstore.Store {
	t.Helper()
	for range 2 {
		if err := store.CreateTables(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

// fromEnvironment returns a variable that names a database server. Without it the test is skipped.
func fromEnvironment(t *testing.T, variable string) string {
	t.Helper()
	value := os.Getenv(variable)
	if value == "" {
		t.Skip(variable + " names no database")
	}
	return value
}
