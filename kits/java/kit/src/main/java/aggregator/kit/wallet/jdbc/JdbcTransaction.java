package aggregator.kit.wallet.jdbc;

import aggregator.kit.wallet.Action;
import aggregator.kit.wallet.Applied;
import aggregator.kit.wallet.Player;
import aggregator.kit.wallet.Storage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The statements of one transaction, on one connection. */
final class JdbcTransaction implements Storage.Transaction {
  private final Connection connection;
  private final String merchant;
  private final String playerId;

  JdbcTransaction(Connection connection, String merchant, String playerId) {
    this.connection = connection;
    this.merchant = merchant;
    this.playerId = playerId;
  }

  /**
   * Locks the player's row until the transaction ends. An UPDATE does this in every database. SQLite has no SELECT ...
   * FOR UPDATE; after the UPDATE it allows no other writer.
   */
  void lock() {
    update(
        "UPDATE wallet_players SET balance_minor = balance_minor WHERE merchant = ? AND player_id = ?",
        merchant,
        playerId);
  }

  @Override
  public Optional<Player> player() {
    return find(
        "SELECT balance_minor, blocked FROM wallet_players WHERE merchant = ? AND player_id = ?",
        row -> new Player(row.getLong(1), row.getInt(2) != 0),
        merchant,
        playerId);
  }

  @Override
  public Optional<Applied> applied(String txId) {
    return find(
        "SELECT action, player_id, amount_minor, ref_tx_id, balance_minor FROM wallet_applied"
            + " WHERE merchant = ? AND tx_id = ?",
        row ->
            new Applied(
                txId,
                Action.valueOf(row.getString(1)),
                row.getString(2),
                row.getLong(3),
                row.getString(4),
                row.getLong(5)),
        merchant,
        txId);
  }

  @Override
  public Optional<String> rejection(String txId) {
    return find(
        "SELECT error FROM wallet_rejected WHERE merchant = ? AND tx_id = ?",
        row -> row.getString(1),
        merchant,
        txId);
  }

  @Override
  public boolean isTombstone(String txId) {
    return exists("SELECT 1 FROM wallet_tombstones WHERE merchant = ? AND tx_id = ?", txId);
  }

  @Override
  public boolean isReversed(String refTxId) {
    return exists("SELECT 1 FROM wallet_applied WHERE merchant = ? AND ref_tx_id = ?", refTxId);
  }

  @Override
  public void apply(Applied applied) {
    update(
        "INSERT INTO wallet_applied (merchant, tx_id, action, player_id, amount_minor, ref_tx_id, balance_minor)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)",
        merchant,
        applied.txId(),
        applied.action().name(),
        applied.playerId(),
        applied.amountMinor(),
        applied.refTxId(),
        applied.balanceMinor());
    update(
        "UPDATE wallet_players SET balance_minor = ? WHERE merchant = ? AND player_id = ?",
        applied.balanceMinor(),
        merchant,
        playerId);
  }

  @Override
  public void reject(String txId, String error) {
    update("INSERT INTO wallet_rejected (merchant, tx_id, error) VALUES (?, ?, ?)", merchant, txId, error);
  }

  @Override
  public void addTombstone(String txId) {
    if (!isTombstone(txId)) update("INSERT INTO wallet_tombstones (merchant, tx_id) VALUES (?, ?)", merchant, txId);
  }

  private interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  private boolean exists(String sql, String txId) {
    return find(sql, row -> true, merchant, txId).isPresent();
  }

  private <T> Optional<T> find(String sql, Row<T> row, String... values) {
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      bind(select, (Object[]) values);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Optional.of(row.read(rows)) : Optional.empty();
      }
    } catch (SQLException cause) {
      throw new StorageException(cause);
    }
  }

  private void update(String sql, Object... values) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      statement.executeUpdate();
    } catch (SQLException cause) {
      throw new StorageException(cause);
    }
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i += 1) {
      if (values[i] instanceof Long number) statement.setLong(i + 1, number);
      else statement.setString(i + 1, (String) values[i]);
    }
  }
}
