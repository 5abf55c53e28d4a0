package aggregator.kit.wallet.jdbc;

import aggregator.kit.wallet.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Stores a wallet in a SQL database: SQLite, MariaDB, MySQL or PostgreSQL. Every call uses one connection of the data
 * source, so use a pool.
 */
public final class JdbcStorage implements Storage {
  private static final int ATTEMPTS_MAX = 10;
  private static final Set<Integer> MYSQL_CONFLICTS = Set.of(1020, 1205);

  private final DataSource dataSource;

  public JdbcStorage(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Creates the missing tables. Call it at start, or run the file in this class's folder yourself: {@code schema.sql},
   * or {@code schema-mysql.sql} for MariaDB and MySQL.
   *
   * @throws StorageException when the database refuses a statement
   */
  public void createTables() {
    atomically(
        connection -> {
          String file = isMySql(connection) ? "schema-mysql.sql" : "schema.sql";
          try (Statement statement = connection.createStatement()) {
            for (String sql : resource(file).split(";")) if (!sql.isBlank()) statement.execute(sql);
          }
          return null;
        });
  }

  /** Adds a player, unless a player with this id exists. */
  public void createPlayer(String merchant, String playerId, long balanceMinor, boolean blocked) {
    if (balance(merchant, playerId).isPresent()) return;
    try {
      atomically(connection -> insertPlayer(connection, merchant, playerId, balanceMinor, blocked));
    } catch (StorageException cause) {
      // Another process has just added the same player.
      if (!isDuplicate(cause.sql())) throw cause;
    }
  }

  private static int insertPlayer(
      Connection connection, String merchant, String playerId, long balanceMinor, boolean blocked)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO wallet_players (merchant, player_id, balance_minor, blocked) VALUES (?, ?, ?, ?)")) {
      insert.setString(1, merchant);
      insert.setString(2, playerId);
      insert.setLong(3, balanceMinor);
      insert.setInt(4, blocked ? 1 : 0);
      return insert.executeUpdate();
    }
  }

  @Override
  public OptionalLong balance(String merchant, String playerId) {
    return atomically(
        connection -> {
          try (PreparedStatement select =
              connection.prepareStatement(
                  "SELECT balance_minor FROM wallet_players WHERE merchant = ? AND player_id = ?")) {
            select.setString(1, merchant);
            select.setString(2, playerId);
            try (ResultSet rows = select.executeQuery()) {
              return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
            }
          }
        });
  }

  @Override
  public <T> T inTransaction(String merchant, String playerId, Function<Transaction, T> work) {
    for (int attempt = 1; ; attempt += 1) {
      try {
        return atomically(
            connection -> {
              JdbcTransaction transaction = new JdbcTransaction(connection, merchant, playerId);
              transaction.lock();
              return work.apply(transaction);
            });
      } catch (StorageException cause) {
        if (attempt == ATTEMPTS_MAX || !mayTryAgain(cause.sql())) throw cause;
      }
    }
  }

  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Runs the work in one transaction with any autoCommit setting of the pool, and restores that setting. */
  private <T> T atomically(Work<T> work) {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try {
        readCommitted(connection);
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException | Error cause) {
        rollback(connection, cause);
        throw cause;
      } finally {
        restore(connection, autoCommit);
      }
    } catch (SQLException cause) {
      throw new StorageException(cause);
    }
  }

  /** The default level of MySQL could read data that is older than the lock on the player. Only this transaction changes. */
  private static void readCommitted(Connection connection) throws SQLException {
    if (connection.getMetaData().getDatabaseProductName().equals("SQLite")) return;
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }
  }

  private static boolean isMySql(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return product.equals("MySQL") || product.equals("MariaDB");
  }

  private static void restore(Connection connection, boolean autoCommit) {
    try {
      connection.setAutoCommit(autoCommit);
    } catch (SQLException cause) {
      // The connection is broken, and its pool will notice. The result of the transaction is already known.
    }
  }

  private static void rollback(Connection connection, Throwable cause) {
    try {
      connection.rollback();
    } catch (SQLException second) {
      cause.addSuppressed(second);
    }
  }

  /**
   * Whether the transaction failed because of another transaction: a copy was stored first, or there was a deadlock, or
   * on MySQL a row that changed since the snapshot or a lock wait timeout.
   */
  private static boolean mayTryAgain(SQLException cause) {
    boolean isMySqlConflict = "HY000".equals(cause.getSQLState()) && MYSQL_CONFLICTS.contains(cause.getErrorCode());
    return isDuplicate(cause) || hasClass(cause, "40") || isMySqlConflict;
  }

  private static boolean isDuplicate(SQLException cause) {
    return hasClass(cause, "23");
  }

  private static boolean hasClass(SQLException cause, String sqlStateClass) {
    return cause.getSQLState() != null && cause.getSQLState().startsWith(sqlStateClass);
  }

  private static String resource(String file) {
    try (InputStream stream = JdbcStorage.class.getResourceAsStream(file)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException cause) {
      throw new UncheckedIOException(cause);
    }
  }
}
