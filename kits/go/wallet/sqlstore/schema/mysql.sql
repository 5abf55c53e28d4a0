-- The wallet's books in MySQL and MariaDB. Ids are VARBINARY, so that they are compared byte by byte: text collations
-- ignore case, accents or spaces at the end. Amounts are minor units, times are milliseconds since 1970.
CREATE TABLE IF NOT EXISTS wallet_players (
  merchant VARBINARY(64) NOT NULL,
  player_id VARBINARY(512) NOT NULL,
  balance BIGINT NOT NULL,
  blocked BOOLEAN NOT NULL DEFAULT FALSE,
  PRIMARY KEY (merchant, player_id)
) ENGINE = InnoDB;

-- Applied transactions, and rejected bets and rollbacks. ref_tx_id: the transaction that an applied refund or rollback
-- reversed.
CREATE TABLE IF NOT EXISTS wallet_transactions (
  merchant VARBINARY(64) NOT NULL,
  tx_id VARBINARY(128) NOT NULL,
  action VARBINARY(16) NOT NULL,
  player_id VARBINARY(512) NOT NULL,
  amount BIGINT NOT NULL,
  ref_tx_id VARBINARY(128),
  applied BOOLEAN NOT NULL,
  reply VARBINARY(1024) NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant, tx_id),
  UNIQUE (merchant, ref_tx_id)
) ENGINE = InnoDB;

-- Bets and wins whose reversal came before them. They must never be applied.
CREATE TABLE IF NOT EXISTS wallet_tombstones (
  merchant VARBINARY(64) NOT NULL,
  tx_id VARBINARY(128) NOT NULL,
  PRIMARY KEY (merchant, tx_id)
) ENGINE = InnoDB;
