package aggregator.kit.client;

/** The filters that a listing of transactions and the feed share. */
abstract class TransactionFilter<Q extends TransactionFilter<Q>> extends Query<Q> {
  public Q action(String action) {
    return with("action", action);
  }

  /** Only bets and wins of this kind, for example {@code jackpot}. */
  public Q kind(String kind) {
    return with("kind", kind);
  }

  public Q playerId(String playerId) {
    return with("player_id", playerId);
  }

  public Q provider(String code) {
    return with("provider", code);
  }

  public Q game(String code) {
    return with("game", code);
  }

  public Q txId(String txId) {
    return with("tx_id", txId);
  }

  public Q roundId(String roundId) {
    return with("round_id", roundId);
  }

  public Q refTxId(String refTxId) {
    return with("ref_tx_id", refTxId);
  }
}
