-- The tables of a wallet, for MariaDB and MySQL. Amounts are whole minor units. Ids are VARBINARY, so that they are
-- compared byte by byte. With VARCHAR, some collations treat different texts as equal, such as "a" and "a ".
CREATE TABLE IF NOT EXISTS wallet_players (
  merchant VARBINARY(64) NOT NULL,
  player_id VARBINARY(512) NOT NULL,
  balance_minor BIGINT NOT NULL,
  blocked SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant, player_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- Applied transactions. balance_minor is the balance after the transaction. A repeat gets this balance as its reply.
CREATE TABLE IF NOT EXISTS wallet_applied (
  merchant VARBINARY(64) NOT NULL,
  tx_id VARBINARY(128) NOT NULL,
  action VARCHAR(8) NOT NULL,
  player_id VARBINARY(512) NOT NULL,
  amount_minor BIGINT NOT NULL,
  ref_tx_id VARBINARY(128),
  balance_minor BIGINT NOT NULL,
  PRIMARY KEY (merchant, tx_id),
  UNIQUE (merchant, ref_tx_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- Bets and rollbacks with a final rejection.
CREATE TABLE IF NOT EXISTS wallet_rejected (
  merchant VARBINARY(64) NOT NULL,
  tx_id VARBINARY(128) NOT NULL,
  error VARCHAR(64) NOT NULL,
  PRIMARY KEY (merchant, tx_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- Bets and wins whose reversal came before them. They must never be applied.
CREATE TABLE IF NOT EXISTS wallet_tombstones (
  merchant VARBINARY(64) NOT NULL,
  tx_id VARBINARY(128) NOT NULL,
  PRIMARY KEY (merchant, tx_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
