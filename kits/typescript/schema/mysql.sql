-- MySQL and MariaDB. Ids are VARBINARY, because text collations ignore case, accents or spaces at the end.
-- Amounts and balances are minor units: cents, or pesos of CLP.
CREATE TABLE IF NOT EXISTS wallet_players (
  merchant VARBINARY(64) NOT NULL,
  player_id VARBINARY(512) NOT NULL,
  balance BIGINT NOT NULL,
  blocked SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant, player_id)
) ENGINE = InnoDB;
-- The result of each tx_id: applied, rejected, or a tombstone. Only an applied refund or rollback has a ref_tx_id. The
-- unique key on it prevents a second reversal of the same transaction.
CREATE TABLE IF NOT EXISTS wallet_entries (
  merchant VARBINARY(64) NOT NULL,
  tx_id VARBINARY(128) NOT NULL,
  state VARCHAR(16) NOT NULL,
  action VARCHAR(16),
  player_id VARBINARY(512),
  amount BIGINT,
  ref_tx_id VARBINARY(128),
  balance BIGINT,
  error VARCHAR(64),
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (merchant, tx_id),
  UNIQUE (merchant, ref_tx_id)
) ENGINE = InnoDB;
