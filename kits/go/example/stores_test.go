// Package example tests the kit's SQL storage in real databases. The kit itself needs no driver.
package example

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

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
	socket := startMariaDB(t)
	databases := 0
	create := func(t *testing.T) *sqlstore.Store {
		databases++
		settings := mysql.NewConfig()
		settings.User, settings.Net, settings.Addr = "root", "unix", socket
		admin := open(t, settings)
		name := fmt.Sprintf("wallet_%d", databases)
		if _, err := admin.Exec("CREATE DATABASE " + name); err != nil {
			t.Fatal(err)
		}
		settings.DBName = name
		return createTables(t, sqlstore.New(open(t, settings), sqlstore.MySQL))
	}
	storagetest.Run(t, func(t *testing.T) storagetest.Books { return create(t) })
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

// startMariaDB runs a temporary server and returns its socket. If MariaDB is not installed, the test is skipped.
func startMariaDB(t *testing.T) string {
	t.Helper()
	install, err := exec.LookPath("mariadb-install-db")
	if err != nil {
		t.Skip("skipped, no mariadb-install-db")
	}
	program, err := exec.LookPath("mariadbd")
	if err != nil {
		t.Skip("skipped, no mariadbd")
	}
	// A socket's path has at most 107 bytes, and a path in t.TempDir() may be longer.
	folder, err := os.MkdirTemp("", "mariadb-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	data, socket := filepath.Join(folder, "data"), filepath.Join(folder, "s")
	owner := []string{}
	if os.Getuid() == 0 {
		owner = append(owner, "--user=root")
	}
	args := append([]string{"--no-defaults", "--datadir=" + data, "--auth-root-authentication-method=normal", "--skip-test-db"}, owner...)
	if log, err := exec.Command(install, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	server := exec.Command(program, append([]string{"--no-defaults", "--datadir=" + data, "--socket=" + socket, "--skip-networking", "--max-connections=200"}, owner...)...)
	server.Env = append(os.Environ(), "TMPDIR="+folder)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		if connection, err := net.Dial("unix", socket); err == nil {
			_ = connection.Close()
			return socket
		}
	}
	t.Fatal("mariadbd did not start")
	return ""
}
