package aggregator.kit.wallet;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The storage of a wallet's players and of each transaction's result. All ids are per merchant: two merchants may have
 * the same player ids and the same tx_ids. Texts are compared by their bytes.
 */
public interface Storage {
  /** The player's balance in minor units; empty: the player does not exist. */
  OptionalLong balance(String merchant, String playerId);

  /**
   * Runs the work in one transaction that locks the player. Either all changes of the work are stored, or none.
   * Meanwhile no other transaction of this player runs. The work may run again after a conflict, for example when
   * another transaction has just stored the same tx_id.
   *
   * @throws RuntimeException the work's exception, with nothing stored; or a failure of the storage
   */
  <T> T inTransaction(String merchant, String playerId, Function<Transaction, T> work);

  /** The operations inside a transaction. All of them concern the transaction's merchant. */
  interface Transaction {
    /** The locked player; empty: the player does not exist. */
    Optional<Player> player();

    /** The applied transaction with this id. */
    Optional<Applied> applied(String txId);

    /** The code of the final rejection of this bet or rollback. */
    Optional<String> rejection(String txId);

    /** Whether a reversal of this bet or win came before it. */
    boolean isTombstone(String txId);

    /** Whether an applied refund or rollback reverses this bet or win. */
    boolean isReversed(String refTxId);

    /** Stores the transaction and sets the locked player's balance to the balance after it. */
    void apply(Applied applied);

    /** Stores the final rejection of a bet or rollback. */
    void reject(String txId, String error);

    /** Adds a tombstone: this bet or win must never be applied. The id may have a tombstone already. */
    void addTombstone(String txId);
  }
}
