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
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Keeps a wallet in a SQL database: SQLite, MariaDB, MySQL or PostgreSQL. Every call takes one connection of the data
 * source, so use a pool.
 */
public final class JdbcStorage implements Storage {
  private static final int ATTEMPTS_MAX = 10;

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
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      String product = connection.getMetaData().getDatabaseProductName();
      String file = product.equals("MySQL") || product.equals("MariaDB") ? "schema-mysql.sql" : "schema.sql";
      for (String sql : resource(file).split(";")) if (!sql.isBlank()) statement.execute(sql);
    } catch (SQLException cause) {
      throw new StorageException(cause);
    }
  }

  /** Adds a player, unless a player with this id exists. */
  public void createPlayer(String merchant, String playerId, long balanceMinor, boolean blocked) {
    if (balance(merchant, playerId).isPresent()) return;
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO wallet_players (merchant, player_id, balance_minor, blocked) VALUES (?, ?, ?, ?)")) {
      insert.setString(1, merchant);
      insert.setString(2, playerId);
      insert.setLong(3, balanceMinor);
      insert.setInt(4, blocked ? 1 : 0);
      insert.executeUpdate();
    } catch (SQLException cause) {
      // Another process has just added the same player.
      if (!isDuplicate(cause)) throw new StorageException(cause);
    }
  }

  @Override
  public OptionalLong balance(String merchant, String playerId) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT balance_minor FROM wallet_players WHERE merchant = ? AND player_id = ?")) {
      select.setString(1, merchant);
      select.setString(2, playerId);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
      }
    } catch (SQLException cause) {
      throw new StorageException(cause);
    }
  }

  @Override
  public <T> T inTransaction(String merchant, String playerId, Function<Transaction, T> work) {
    for (int attempt = 1; ; attempt += 1) {
      try {
        return attempt(merchant, playerId, work);
      } catch (StorageException cause) {
        if (attempt == ATTEMPTS_MAX || !mayTryAgain(cause.sql())) throw cause;
      }
    }
  }

  private <T> T attempt(String merchant, String playerId, Function<Transaction, T> work) {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      T result;
      try {
        JdbcTransaction transaction = new JdbcTransaction(connection, merchant, playerId);
        transaction.lock();
        result = work.apply(transaction);
        connection.commit();
      } catch (SQLException | RuntimeException | Error cause) {
        rollback(connection, cause);
        throw cause;
      }
      connection.setAutoCommit(autoCommit);
      return result;
    } catch (SQLException cause) {
      throw new StorageException(cause);
    }
  }

  private static void rollback(Connection connection, Throwable cause) {
    try {
      connection.rollback();
    } catch (SQLException second) {
      cause.addSuppressed(second);
    }
  }

  /** Whether a copy of the transaction was stored first, or the database ended a deadlock by cancelling this one. */
  private static boolean mayTryAgain(SQLException cause) {
    return isDuplicate(cause) || hasClass(cause, "40");
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
