-- The tables of a wallet, for SQLite and PostgreSQL. Amounts are whole minor units. Both databases compare texts in
-- these columns byte by byte.
CREATE TABLE IF NOT EXISTS wallet_players (
  merchant TEXT NOT NULL,
  player_id TEXT NOT NULL,
  balance_minor BIGINT NOT NULL,
  blocked SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant, player_id)
);

-- Applied transactions. balance_minor is the balance after the transaction. A repeat gets this balance as its reply.
CREATE TABLE IF NOT EXISTS wallet_applied (
  merchant TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  action TEXT NOT NULL,
  player_id TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  ref_tx_id TEXT,
  balance_minor BIGINT NOT NULL,
  PRIMARY KEY (merchant, tx_id),
  UNIQUE (merchant, ref_tx_id)
);

-- Bets and rollbacks with a final rejection.
CREATE TABLE IF NOT EXISTS wallet_rejected (
  merchant TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  error TEXT NOT NULL,
  PRIMARY KEY (merchant, tx_id)
);

-- Bets and wins whose reversal came before them. They must never be applied.
CREATE TABLE IF NOT EXISTS wallet_tombstones (
  merchant TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  PRIMARY KEY (merchant, tx_id)
);
