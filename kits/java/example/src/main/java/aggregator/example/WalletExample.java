package aggregator.example;

import aggregator.kit.money.Currency;
import aggregator.kit.wallet.MemoryStorage;
import aggregator.kit.wallet.MerchantAccount;
import aggregator.kit.wallet.Merchants;
import aggregator.kit.wallet.Storage;
import aggregator.kit.wallet.WalletHandler;
import aggregator.kit.wallet.http.WalletHttpHandler;
import aggregator.kit.wallet.jdbc.JdbcStorage;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executors;
import org.sqlite.SQLiteConfig;

/**
 * A wallet program. Environment: PORT; MERCHANTS {@code [{"code","secrets","currency"}]}; PLAYERS {@code [{"merchant",
 * "id","balance_minor","blocked"}]}, the players to add if they are missing; DATABASE, a SQLite file, or empty for
 * memory.
 */
public final class WalletExample {
  /** Each server of the service makes up to 64 calls at once. The other threads serve slow senders. */
  private static final int THREADS = 128;

  private static final int BACKLOG = 256;

  private WalletExample() {}

  record ExampleMerchant(String code, List<String> secrets, Currency currency) {}

  record ExamplePlayer(
      String merchant, String id, @JsonProperty("balance_minor") long balanceMinor, boolean blocked) {}

  public static void main(String[] args) throws IOException {
    // Headers and body of a reply are two writes. Without this option the second write may wait up to 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    // In seconds. A request that takes longer to arrive would hold one of the threads for ever.
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    List<MerchantAccount> merchants = merchants();
    WalletHandler handler = new WalletHandler(Merchants.of(merchants), storage());

    int port = Integer.parseInt(variable("PORT"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), BACKLOG);
    server.setExecutor(Executors.newFixedThreadPool(THREADS));
    server.createContext("/wallet", new WalletHttpHandler(handler));
    server.start();
    // After SIGTERM the server accepts no new callbacks, and finishes the running callbacks.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(1)));
    System.out.println("listening on http://127.0.0.1:" + server.getAddress().getPort() + "/wallet");
  }

  private static List<MerchantAccount> merchants() throws JsonProcessingException {
    ExampleMerchant[] merchants = new ObjectMapper().readValue(variable("MERCHANTS"), ExampleMerchant[].class);
    return List.of(merchants).stream()
        .map(merchant -> new MerchantAccount(merchant.code(), merchant.secrets(), merchant.currency()))
        .toList();
  }

  private static Storage storage() throws JsonProcessingException {
    ExamplePlayer[] players = new ObjectMapper().readValue(variable("PLAYERS"), ExamplePlayer[].class);
    String file = System.getenv().getOrDefault("DATABASE", "");
    if (file.isEmpty()) {
      MemoryStorage storage = new MemoryStorage();
      for (ExamplePlayer player : players)
        storage.createPlayer(player.merchant(), player.id(), player.balanceMinor(), player.blocked());
      return storage;
    }
    JdbcStorage storage = new JdbcStorage(sqlite(file));
    storage.createTables();
    for (ExamplePlayer player : players)
      storage.createPlayer(player.merchant(), player.id(), player.balanceMinor(), player.blocked());
    return storage;
  }

  /** SQLite has one writer at a time. With one connection, the callbacks wait in a fair queue. */
  private static HikariDataSource sqlite(String file) {
    SQLiteConfig settings = new SQLiteConfig();
    settings.setJournalMode(SQLiteConfig.JournalMode.WAL);
    settings.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl("jdbc:sqlite:" + file);
    pool.setDataSourceProperties(settings.toProperties());
    pool.setMaximumPoolSize(1);
    return new HikariDataSource(pool);
  }

  private static String variable(String name) {
    String value = System.getenv(name);
    if (value != null && !value.isEmpty()) return value;
    System.err.println(name + " is not set: see the README for what the example reads");
    System.exit(2);
    throw new IllegalStateException();
  }
}
