// Package sqlite opens a wallet's storage in a SQLite file, with a driver that needs no C compiler.
package sqlite

import (
	"context"
	"database/sql"
	"net/url"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"aggregator.example/kits/go/wallet/sqlstore"
)

// Open creates the file and its tables if they are missing. Committed data survive a power cut.
func Open(ctx context.Context, file string) (*sqlstore.Store, error) {
	settings := url.Values{"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(5000)"}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+settings.Encode())
	if err != nil {
		return nil, err
	}
	// SQLite has one writer at a time. Callbacks wait for the connection instead of trying the file again and again.
	db.SetMaxOpenConns(1)
	store := sqlstore.New(db, sqlstore.SQLite)
	return store, store.CreateTables(ctx)
}
