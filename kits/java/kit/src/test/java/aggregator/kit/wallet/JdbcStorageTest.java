package aggregator.kit.wallet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import aggregator.kit.money.Currency;
import aggregator.kit.wallet.jdbc.JdbcStorage;
import aggregator.kit.wallet.jdbc.StorageException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
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
  class MariaDb extends JdbcContract {
    private static MariaDbPoolDataSource pool;

    @BeforeAll
    static void open() throws SQLException {
      pool = new MariaDbPoolDataSource(System.getenv("MARIADB_JDBC_URL") + "&maxPoolSize=16");
    }

    @AfterAll
    static void close() {
      pool.close();
    }

    @Override
    DataSource dataSource() {
      return pool;
    }
  }

  @Nested
  @DisplayName("PostgreSQL")
  @EnabledIfEnvironmentVariable(named = "POSTGRES_JDBC_URL", matches = ".+")
  class Postgres extends JdbcContract {
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
