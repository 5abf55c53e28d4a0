package aggregator.kit.wallet;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Where a wallet keeps its players and what became of each transaction. Everything belongs to a merchant: two merchants
 * may have the same player ids and the same tx_ids. Texts are compared by their bytes.
 */
public interface Storage {
  /** The player's balance in minor units; empty: there is no such player. */
  OptionalLong balance(String merchant, String playerId);

  /**
   * Runs the work in one transaction that locks the player: either all that it writes is stored, or nothing is. While
   * it runs, no other transaction of this player does. The work may be run again, when the database asks for it or when
   * another transaction has just stored the same tx_id.
   *
   * @throws RuntimeException what the work throws, after nothing was stored; or a failure of the storage
   */
  <T> T inTransaction(String merchant, String playerId, Function<Transaction, T> work);

  /** What a transaction may read and write. All of it is about the transaction's merchant. */
  interface Transaction {
    /** The player, as locked; empty: there is no such player. */
    Optional<Player> player();

    /** The transaction with this id that moved money. */
    Optional<Applied> applied(String txId);

    /** The code with which this bet or rollback was rejected for good. */
    Optional<String> rejection(String txId);

    /** Whether a reversal looked for this bet or win before it came. */
    boolean isTombstone(String txId);

    /** Whether an applied refund or rollback names this bet or win. */
    boolean isReversed(String refTxId);

    /** Stores the transaction and sets the locked player's balance to the one after it. */
    void apply(Applied applied);

    /** Stores the rejection of a bet or rollback for good. */
    void reject(String txId, String error);

    /** Leaves a tombstone: this bet or win must never be applied. It may have one already. */
    void addTombstone(String txId);
  }
}
