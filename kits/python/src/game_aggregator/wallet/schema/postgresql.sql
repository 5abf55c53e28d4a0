-- The collation "C" compares bytes. Amounts and balances are minor units: cents, or pesos of CLP.
CREATE TABLE IF NOT EXISTS wallet_players (
  merchant VARCHAR(64) COLLATE "C" NOT NULL,
  player_id VARCHAR(128) COLLATE "C" NOT NULL,
  balance BIGINT NOT NULL,
  blocked SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant, player_id)
);
-- What became of a tx_id: applied, rejected, or a tombstone. ref_tx_id is that of applied refunds and rollbacks, so that
-- the unique key lets nothing be reversed twice.
CREATE TABLE IF NOT EXISTS wallet_entries (
  merchant VARCHAR(64) COLLATE "C" NOT NULL,
  tx_id VARCHAR(128) COLLATE "C" NOT NULL,
  state VARCHAR(16) NOT NULL,
  action VARCHAR(16),
  player_id VARCHAR(128) COLLATE "C",
  amount BIGINT,
  ref_tx_id VARCHAR(128) COLLATE "C",
  balance BIGINT,
  error VARCHAR(64),
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (merchant, tx_id),
  UNIQUE (merchant, ref_tx_id)
);
