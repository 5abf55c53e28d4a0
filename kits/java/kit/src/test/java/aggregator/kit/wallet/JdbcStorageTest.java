package aggregator.kit.wallet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import aggregator.kit.money.Currency;
import aggregator.kit.wallet.jdbc.JdbcStorage;
import aggregator.kit.wallet.jdbc.StorageException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mariadb.jdbc.MariaDbPoolDataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

@DisplayName("Storage in a SQL database")
class JdbcStorageTest {
  @TempDir static Path folder;

  abstract static class JdbcContract extends StorageContract {
    abstract DataSource dataSource();

    @Override
    JdbcStorage storage() {
      JdbcStorage storage = new JdbcStorage(dataSource());
      storage.createTables();
      return storage;
    }

    @Override
    void createPlayer(String merchant, String playerId, long balanceMinor, boolean blocked) {
      new JdbcStorage(dataSource()).createPlayer(merchant, playerId, balanceMinor, blocked);
    }
  }

  /** The tests on a database server, where several transactions run at once. */
  abstract static class ServerContract extends JdbcContract {
    @Test
    @DisplayName("a transaction reads what another one has committed meanwhile")
    void committed() {
      JdbcStorage storage = storage();
      String shop = "shop-" + UUID.randomUUID();
      storage.createPlayer(shop, "ana", 0, false);
      storage.createPlayer(shop, "rui", 0, false);
      Applied win = new Applied("w1", Action.WIN, "rui", 1, null, 1);
      storage.inTransaction(
          shop,
          "ana",
          stored -> {
            assertEquals(Optional.empty(), stored.applied("w1"));
            storage.inTransaction(
                shop,
                "rui",
                other -> {
                  other.apply(win);
                  return null;
                });
            assertEquals(Optional.of(win), stored.applied("w1"));
            return null;
          });
    }
  }

  @Nested
  @DisplayName("SQLite, with a connection for each callback")
  class Sqlite extends JdbcContract {
    private final SQLiteDataSource dataSource = sqlite(folder.resolve("contract.db"));

    @Override
    DataSource dataSource() {
      return dataSource;
    }
  }

  @Nested
  @DisplayName("MariaDB")
  @EnabledIfEnvironmentVariable(named = "MARIADB_JDBC_URL", matches = ".+")
  class MariaDb extends ServerContract {
    private static MariaDbPoolDataSource pool;

    @BeforeAll
    static void open() throws SQLException {
      pool = new MariaDbPoolDataSource(System.getenv("MARIADB_JDBC_URL") + "&maxPoolSize=16");
    }

    @AfterAll
    static void close() {
      pool.close();
    }

    @Test
    @DisplayName("a transaction is repeated after a row changed since the snapshot")
    void changedRow() {
      AtomicInteger tries = new AtomicInteger();
      storage()
          .inTransaction(
              "shop",
              "ana",
              stored -> {
                // MariaDB raises 1020 with the setting innodb_snapshot_isolation.
                if (tries.incrementAndGet() == 1) fail(1020);
                return null;
              });
      assertEquals(2, tries.get());
    }

    /** Makes the server raise this error inside another transaction. */
    private void fail(int error) {
      DataSource failing =
          (DataSource)
              Proxy.newProxyInstance(
                  DataSource.class.getClassLoader(),
                  new Class<?>[] {DataSource.class},
                  (proxy, method, arguments) -> {
                    try (Connection connection = pool.getConnection();
                        Statement statement = connection.createStatement()) {
                      statement.execute("SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = " + error);
                    }
                    return null;
                  });
      new JdbcStorage(failing).balance("shop", "ana");
    }

    @Override
    DataSource dataSource() {
      return pool;
    }
  }

  @Nested
  @DisplayName("PostgreSQL")
  @EnabledIfEnvironmentVariable(named = "POSTGRES_JDBC_URL", matches = ".+")
  class Postgres extends ServerContract {
    private final PGSimpleDataSource dataSource = new PGSimpleDataSource();

    Postgres() {
      dataSource.setUrl(System.getenv("POSTGRES_JDBC_URL"));
    }

    @Override
    DataSource dataSource() {
      return dataSource;
    }
  }

  @Test
  @DisplayName("what was stored is there after a restart, and tables and players are made once")
  void restart() {
    Path file = folder.resolve("restart.db");
    WalletHandler first = wallet(file);
    var bet = TestCallback.move("shop", "bet", "ana", "b1", "2.5");
    var late = TestCallback.move("shop", "refund", "ana", "f2", "1").of("b2");
    String reply = TestCallback.text(first.handle(bet.signed()));
    first.handle(late.signed());
    WalletHandler second = wallet(file);
    assertEquals(reply, TestCallback.text(second.handle(bet.signed())));
    assertEquals(reply, TestCallback.text(second.handle(TestCallback.balance("shop", "ana").signed())));
    var overtaken = TestCallback.move("shop", "bet", "ana", "b2", "1");
    assertEquals(
        "200 {\"ok\":false,\"error\":\"TRANSACTION_REVERSED\"}", TestCallback.text(second.handle(overtaken.signed())));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("it works with both autoCommit settings of a pool, and restores the setting also after a failure")
  void autoCommit(boolean autoCommit) throws SQLException {
    SQLiteDataSource file = sqlite(folder.resolve("auto-commit-" + autoCommit + ".db"));
    try (Connection only = file.getConnection()) {
      only.setAutoCommit(autoCommit);
      JdbcStorage storage = new JdbcStorage(poolOf(only));
      storage.createTables();
      storage.createPlayer("shop", "ana", 10_000, false);
      assertEquals(autoCommit, only.getAutoCommit());
      assertThrows(
          IllegalStateException.class,
          () ->
              storage.inTransaction(
                  "shop",
                  "ana",
                  stored -> {
                    throw new IllegalStateException("half-way");
                  }));
      assertEquals(autoCommit, only.getAutoCommit());
      assertEquals(OptionalLong.of(10_000), storage.balance("shop", "ana"));
      // A second connection can read the committed data and can write, so no transaction was left open.
      JdbcStorage second = new JdbcStorage(file);
      assertEquals(OptionalLong.of(10_000), second.balance("shop", "ana"));
      second.createPlayer("shop", "rui", 1, false);
    }
  }

  /** A pool of one connection. It does not reset the connection's settings. */
  private static DataSource poolOf(Connection only) {
    Connection open =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> method.getName().equals("close") ? null : method.invoke(only, arguments));
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> open);
  }

  @Test
  @DisplayName("a database that is not there is an unknown outcome, never a rejection")
  void broken() {
    SQLiteDataSource none = new SQLiteDataSource();
    none.setUrl("jdbc:sqlite:" + folder.resolve("no/such/folder/wallet.db"));
    assertThrows(StorageException.class, () -> new JdbcStorage(none).createTables());
    WalletHandler wallet = new WalletHandler(Merchants.of(List.of(shop())), new JdbcStorage(none));
    Logger.getLogger(WalletHandler.class.getName()).setUseParentHandlers(false);
    String unknown = "500 {\"ok\":false,\"error\":\"INTERNAL_ERROR\"}";
    assertEquals(
        unknown, TestCallback.text(wallet.handle(TestCallback.move("shop", "bet", "ana", "b1", "1").signed())));
    assertEquals(unknown, TestCallback.text(wallet.handle(TestCallback.balance("shop", "ana").signed())));
  }

  private static WalletHandler wallet(Path file) {
    JdbcStorage storage = new JdbcStorage(sqlite(file));
    storage.createTables();
    storage.createPlayer("shop", "ana", 10_000, false);
    return new WalletHandler(Merchants.of(List.of(shop())), storage);
  }

  private static MerchantAccount shop() {
    return new MerchantAccount("shop", List.of("sk_shop"), Currency.BRL);
  }

  private static SQLiteDataSource sqlite(Path file) {
    SQLiteDataSource dataSource = new SQLiteDataSource();
    dataSource.setUrl("jdbc:sqlite:" + file);
    dataSource.setBusyTimeout(30_000);
    // No test cuts the power, so the data need not reach the disk.
    dataSource.setSynchronous("OFF");
    return dataSource;
  }
}
