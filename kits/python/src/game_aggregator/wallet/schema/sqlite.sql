-- Amounts and balances are minor units: cents, or pesos of CLP.
CREATE TABLE IF NOT EXISTS wallet_players (
  merchant TEXT NOT NULL,
  player_id TEXT NOT NULL,
  balance INTEGER NOT NULL,
  blocked INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant, player_id)
);
-- What became of a tx_id: applied, rejected, or a tombstone. ref_tx_id is that of applied refunds and rollbacks, so that
-- the unique key lets nothing be reversed twice.
CREATE TABLE IF NOT EXISTS wallet_entries (
  merchant TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  state TEXT NOT NULL,
  action TEXT,
  player_id TEXT,
  amount INTEGER,
  ref_tx_id TEXT,
  balance INTEGER,
  error TEXT,
  created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (merchant, tx_id),
  UNIQUE (merchant, ref_tx_id)
);
