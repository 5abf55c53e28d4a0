-- The wallet's books in SQLite. TEXT is compared byte by byte. Amounts are minor units, times are milliseconds since
-- 1970.
CREATE TABLE IF NOT EXISTS wallet_players (
  merchant TEXT NOT NULL,
  player_id TEXT NOT NULL,
  balance INTEGER NOT NULL,
  blocked INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant, player_id)
);

-- Applied transactions, and rejected bets and rollbacks. ref_tx_id: the transaction that an applied refund or rollback
-- reversed.
CREATE TABLE IF NOT EXISTS wallet_transactions (
  merchant TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  action TEXT NOT NULL,
  player_id TEXT NOT NULL,
  amount INTEGER NOT NULL,
  ref_tx_id TEXT,
  applied INTEGER NOT NULL,
  reply TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant, tx_id),
  UNIQUE (merchant, ref_tx_id)
);

-- Bets and wins whose reversal came before them. They must never be applied.
CREATE TABLE IF NOT EXISTS wallet_tombstones (
  merchant TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  PRIMARY KEY (merchant, tx_id)
);
