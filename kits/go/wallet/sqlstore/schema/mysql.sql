-- The wallet's books in MySQL and MariaDB. Ids are VARBINARY, so that they are compared byte by byte: collations ignore
-- case, accents or spaces at the end. Amounts are minor units, times milliseconds since 1970.
CREATE TABLE IF NOT EXISTS wallet_players (
  merchant VARBINARY(64) NOT NULL,
  player_id VARBINARY(512) NOT NULL,
  balance BIGINT NOT NULL,
  blocked BOOLEAN NOT NULL DEFAULT FALSE,
  PRIMARY KEY (merchant, player_id)
) ENGINE = InnoDB;

-- What was applied, and the rejections of bets and rollbacks. ref_tx_id: what an applied refund or rollback reversed.
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

-- Bets and wins whose reversal came first. They must never be applied.
CREATE TABLE IF NOT EXISTS wallet_tombstones (
  merchant VARBINARY(64) NOT NULL,
  tx_id VARBINARY(128) NOT NULL,
  PRIMARY KEY (merchant, tx_id)
) ENGINE = InnoDB;
