-- The wallet's books in PostgreSQL. TEXT COLLATE "C" is compared byte by byte. Amounts are minor units, times are
-- milliseconds since 1970.
CREATE TABLE IF NOT EXISTS wallet_players (
  merchant TEXT COLLATE "C" NOT NULL,
  player_id TEXT COLLATE "C" NOT NULL,
  balance BIGINT NOT NULL,
  blocked BOOLEAN NOT NULL DEFAULT FALSE,
  PRIMARY KEY (merchant, player_id)
);

-- Applied transactions, and rejected bets and rollbacks. ref_tx_id: the transaction that an applied refund or rollback
-- reversed.
CREATE TABLE IF NOT EXISTS wallet_transactions (
  merchant TEXT COLLATE "C" NOT NULL,
  tx_id TEXT COLLATE "C" NOT NULL,
  action TEXT NOT NULL,
  player_id TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  ref_tx_id TEXT COLLATE "C",
  applied BOOLEAN NOT NULL,
  reply TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant, tx_id),
  UNIQUE (merchant, ref_tx_id)
);

-- Bets and wins whose reversal came before them. They must never be applied.
CREATE TABLE IF NOT EXISTS wallet_tombstones (
  merchant TEXT COLLATE "C" NOT NULL,
  tx_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (merchant, tx_id)
);
