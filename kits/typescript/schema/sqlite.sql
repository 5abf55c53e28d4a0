-- Amounts and balances are minor units: cents, or pesos of CLP.
CREATE TABLE IF NOT EXISTS wallet_players (
  merchant TEXT NOT NULL,
  player_id TEXT NOT NULL,
  balance INTEGER NOT NULL,
  blocked INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant, player_id)
);
-- The result of each tx_id: applied, rejected, or a tombstone. Only an applied refund or rollback has a ref_tx_id. The
-- unique key on it prevents a second reversal of the same transaction.
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
