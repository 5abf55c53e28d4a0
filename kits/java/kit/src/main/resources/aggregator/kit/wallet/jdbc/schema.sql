-- The tables of a wallet, for SQLite and PostgreSQL. Amounts are whole minor units. Both databases compare texts of
-- these columns by their bytes.
CREATE TABLE IF NOT EXISTS wallet_players (
  merchant TEXT NOT NULL,
  player_id TEXT NOT NULL,
  balance_minor BIGINT NOT NULL,
  blocked SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant, player_id)
);

-- What moved money. balance_minor is the balance after it: the reply that its repeats get.
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

-- Bets and rollbacks that were rejected for good.
CREATE TABLE IF NOT EXISTS wallet_rejected (
  merchant TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  error TEXT NOT NULL,
  PRIMARY KEY (merchant, tx_id)
);

-- Bets and wins that a reversal looked for before they came. They must never be applied.
CREATE TABLE IF NOT EXISTS wallet_tombstones (
  merchant TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  PRIMARY KEY (merchant, tx_id)
);
