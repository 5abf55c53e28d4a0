package aggregator.example;

import aggregator.kit.client.AggregatorClient;
import aggregator.kit.client.AggregatorException;
import aggregator.kit.client.ApiErrors;
import aggregator.kit.client.ApiException;
import aggregator.kit.client.Feed;
import aggregator.kit.client.FeedPage;
import aggregator.kit.client.FeedQuery;
import aggregator.kit.client.Game;
import aggregator.kit.client.GameQuery;
import aggregator.kit.client.GgrQuery;
import aggregator.kit.client.KindSum;
import aggregator.kit.client.LaunchRequest;
import aggregator.kit.client.ListedRound;
import aggregator.kit.client.Provider;
import aggregator.kit.client.RoundQuery;
import aggregator.kit.client.Transaction;
import aggregator.kit.client.TransactionQuery;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A client program: {@code transactions} lists all transactions of the last day, {@code feed} reads the feed from the
 * stored cursor, {@code error} makes a call that fails, {@code operations} makes every other call once, {@code rounds}
 * lists the rounds that have ended, {@code launches} launches a game for several players. Environment: BASE_URL,
 * MERCHANT, SECRET, LIMIT and TIMEOUT_MS. The feed also needs CURSOR_FILE. The rounds also need DAY, the operations
 * PLAYER, PROVIDER, GAME, TX_ID, ROUND_ID and DAY, the launches PLAYER and GAME.
 */
public final class ClientExample {
  /** Prints in UTF-8 on every terminal, because ids may have any letter. */
  private static final PrintStream OUT =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

  private final AggregatorClient client;
  private final int limit;

  private ClientExample(AggregatorClient client, int limit) {
    this.client = client;
    this.limit = limit;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Map<String, String> env = System.getenv();
    AggregatorClient client =
        AggregatorClient.builder(env.get("BASE_URL"), env.get("MERCHANT"))
            .secret(env.get("SECRET"))
            .timeout(Duration.ofMillis(Long.parseLong(env.getOrDefault("TIMEOUT_MS", "30000"))))
            .build();
    ClientExample example = new ClientExample(client, Integer.parseInt(env.getOrDefault("LIMIT", "100")));
    switch (args.length == 1 ? args[0] : "") {
      case "transactions" -> example.transactions();
      case "feed" -> example.feed(Path.of(env.get("CURSOR_FILE")));
      case "error" -> example.error();
      case "operations" -> example.operations(env);
      case "rounds" -> example.rounds(LocalDate.parse(env.get("DAY")));
      case "launches" -> example.launches(env);
      default -> {
        System.err.println("give one argument: transactions, feed, error, operations, rounds or launches");
        System.exit(2);
      }
    }
  }

  private void transactions() throws JsonProcessingException {
    for (Transaction transaction : client.transactions(new TransactionQuery()).limit(limit)) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("tx_id", transaction.txId());
      line.put("action", transaction.action());
      line.put("status", transaction.status());
      line.put("amount", decimals(transaction.amount()));
      print(line);
    }
  }

  private void feed(Path cursorFile) throws IOException {
    FeedQuery query = new FeedQuery().limit(limit);
    try (Feed feed =
        Files.exists(cursorFile)
            ? client.feed(query, Files.readString(cursorFile))
            : client.feed(query, Instant.EPOCH)) {
      for (FeedPage page : feed) {
        for (Transaction change : page.items()) {
          Map<String, Object> line = new LinkedHashMap<>();
          line.put("cursor", page.cursor());
          line.put("tx_id", change.txId());
          line.put("status", change.status());
          print(line);
        }
        store(cursorFile, page.cursor());
        if (page.items().isEmpty()) return;
      }
    }
  }

  /** Stores the cursor. If the process dies while it writes, the file still has the old cursor. */
  private static void store(Path file, String cursor) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, cursor);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private void error() throws JsonProcessingException {
    try {
      client.transaction("NOBODY:no-such-transaction");
    } catch (ApiErrors.TransactionNotFound failure) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("type", failure.getClass().getSimpleName());
      line.put("code", failure.code());
      line.put("request_id", failure.requestId());
      print(line);
    }
  }

  private void operations(Map<String, String> env) throws JsonProcessingException {
    String provider = env.get("PROVIDER");
    String game = env.get("GAME");
    LocalDate day = LocalDate.parse(env.get("DAY"));
    print("merchant", client.merchant().currency());
    print("launch", client.launch(new LaunchRequest(env.get("PLAYER"), game)).provider());
    print("games", client.games(new GameQuery()).limit(1).stream().map(Game::code).collect(Collectors.joining(",")));
    print("game", client.game(provider, game).name());
    print("providers", client.providers().limit(1).stream().map(Provider::code).collect(Collectors.joining(",")));
    print("transaction", client.transaction(env.get("TX_ID")).transaction().txId());
    print("round", decimals(client.round(provider, env.get("ROUND_ID")).sums().bets()));
    print("resend", resend(env.get("TX_ID")));
    print("report", decimals(client.ggr(new GgrQuery(day, day)).totals().ggr()));
  }

  /** The rounds that have ended, as their pages say, and the kinds of money of a day. */
  private void rounds(LocalDate day) throws JsonProcessingException {
    for (ListedRound listed : client.rounds(new RoundQuery().state("ended")).limit(1)) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("round_id", listed.roundId());
      line.put("state", client.round(listed.provider(), listed.roundId()).state());
      print(line);
    }
    for (KindSum part : client.ggr(new GgrQuery(day, day)).totals().ofWhich()) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("kind", part.action() + " " + part.kind());
      line.put("amount", decimals(part.amount()));
      print(line);
    }
  }

  private void launches(Map<String, String> env) throws JsonProcessingException, InterruptedException {
    for (String player : env.get("PLAYER").split(",")) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("player", player);
      try {
        line.put("launch_url", client.launch(new LaunchRequest(player, env.get("GAME"))).launchUrl());
      } catch (AggregatorException failure) {
        line.put("error", failure.toString());
      }
      print(line);
      Thread.sleep(Long.parseLong(env.getOrDefault("PAUSE_MS", "0")));
    }
  }

  private String resend(String txId) {
    try {
      return client.resend(txId).status();
    } catch (ApiException refusal) {
      return refusal.code();
    }
  }

  private static String decimals(BigDecimal amount) {
    return amount.setScale(2).toPlainString();
  }

  private static void print(String operation, String value) throws JsonProcessingException {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("operation", operation);
    line.put("value", value);
    print(line);
  }

  private static void print(Map<String, Object> line) throws JsonProcessingException {
    OUT.println(new ObjectMapper().writeValueAsString(line));
  }
}
