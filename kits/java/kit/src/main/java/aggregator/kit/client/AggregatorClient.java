package aggregator.kit.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The signed merchant API. It is safe for many threads. Make one client for the whole program.
 *
 * <p>Every method throws {@link AggregatorException}: {@link ApiException} with the service's {@code error.code},
 * {@link NoReplyException} when there is no reply. The {@link RetryPolicy} repeats the calls that are safe to repeat.
 */
public final class AggregatorClient {
  private final Transport transport;

  private AggregatorClient(Transport transport) {
    this.transport = transport;
  }

  /**
   * @param baseUrl the API's address without {@code /v1}, for example {@code https://api.aggregator.example}
   * @param merchant the merchant's code
   */
  public static Builder builder(String baseUrl, String merchant) {
    return new Builder(baseUrl, merchant);
  }

  /** The merchant that makes the call. This is a good first signed call. */
  public Merchant merchant() {
    return Json.read(transport.get("/v1/merchant"), Merchant.class);
  }

  /** Opens a game. The client never repeats this call, because each launch opens a session. It may take up to 9 s. */
  public Launch launch(LaunchRequest request) {
    return Json.read(transport.postOnce("/v1/game/launch", request.toBody()), Launch.class);
  }

  public Listing<Game> games(GameQuery query) {
    return new Listing<>(transport, "/v1/games", query.parameters(), Game.class);
  }

  /** One game, even an inactive one. */
  public Game game(String provider, String code) {
    return Json.read(transport.get(gamePath(provider, code)), Game.class);
  }

  /** One game, with its name in this language if the catalog has it. */
  public Game game(String provider, String code, String lang) {
    String target = Query.target(gamePath(provider, code), Map.of("lang", lang));
    return Json.read(transport.get(target), Game.class);
  }

  public Listing<Provider> providers() {
    return new Listing<>(transport, "/v1/providers", Map.of(), Provider.class);
  }

  public Listing<Transaction> transactions(TransactionQuery query) {
    return new Listing<>(transport, "/v1/transactions", query.parameters(), Transaction.class);
  }

  /** The whole listing as a stream of CSV or NDJSON. The caller closes it. */
  public InputStream export(TransactionQuery query, ExportFormat format) {
    Map<String, String> parameters = query.parameters();
    parameters.put("format", format.parameter());
    return transport.stream(Query.target("/v1/transactions", parameters));
  }

  /** One transaction with all calls that the service made to the wallet for it. */
  public TransactionDetails transaction(String txId) {
    JsonNode data = transport.get("/v1/transactions/" + Query.segment(txId));
    return new TransactionDetails(
        Json.read(data, Transaction.class),
        Json.list(data.path("attempt_log"), TransactionDetails.Attempt.class));
  }

  /** Makes the service send a pending or failed win or refund to the wallet again, now. */
  public Transaction resend(String txId) {
    String target = "/v1/transactions/" + Query.segment(txId) + "/resend";
    return Json.read(transport.postAgain(target, "{}".getBytes(StandardCharsets.UTF_8)), Transaction.class);
  }

  /** The rounds that are open or have ended, of providers that say when a round ends. */
  public Listing<ListedRound> rounds(RoundQuery query) {
    return new Listing<>(transport, "/v1/rounds", query.parameters(), ListedRound.class);
  }

  /** The first page of a round, with the sums of the whole round. */
  public Round round(String provider, String roundId) {
    return round(provider, roundId, Map.of());
  }

  /** A further page of a round. */
  public Round round(String provider, String roundId, String cursor) {
    return round(provider, roundId, Map.of("cursor", cursor));
  }

  /** The changes since this time. The first page may also have changes of up to a minute before it. */
  public Feed feed(FeedQuery query, Instant since) {
    return new Feed(transport, query, Objects.requireNonNull(since, "since"), null);
  }

  /**
   * The changes after a stored cursor.
   *
   * @param query the query with which the feed began
   */
  public Feed feed(FeedQuery query, String cursor) {
    return new Feed(transport, query, null, Objects.requireNonNull(cursor, "cursor"));
  }

  public GgrReport ggr(GgrQuery query) {
    return Json.read(transport.get(Query.target("/v1/reports/ggr", query.parameters())), GgrReport.class);
  }

  /** The report's rows as a stream of CSV. The caller closes it. */
  public InputStream ggrCsv(GgrQuery query) {
    Map<String, String> parameters = query.parameters();
    parameters.put("format", "csv");
    return transport.stream(Query.target("/v1/reports/ggr", parameters));
  }

  private Round round(String provider, String roundId, Map<String, String> parameters) {
    String path = "/v1/rounds/" + Query.segment(provider) + "/" + Query.segment(roundId);
    return Json.read(transport.get(Query.target(path, parameters)), Round.class);
  }

  private static String gamePath(String provider, String code) {
    return "/v1/games/" + Query.segment(provider) + "/" + Query.segment(code);
  }

  /** The forms of an export. */
  public enum ExportFormat {
    CSV,
    NDJSON;

    String parameter() {
      return this == CSV ? "csv" : "ndjson";
    }
  }

  /** The settings of a new client. */
  public static final class Builder {
    private final String baseUrl;
    private final String merchant;
    private Supplier<String> secret;
    private RetryPolicy retries = RetryPolicy.DEFAULT;
    private Duration timeout = Duration.ofSeconds(30);
    private HttpClient http;

    private Builder(String baseUrl, String merchant) {
      URI uri = URI.create(baseUrl);
      if (uri.getHost() == null || uri.getRawQuery() != null || baseUrl.matches(".*/v1/?"))
        throw new IllegalArgumentException(
            "baseUrl must be an address without /v1 and without a query, such as https://api.example, not " + baseUrl);
      this.baseUrl = baseUrl.replaceAll("/+$", "");
      this.merchant = Objects.requireNonNull(merchant, "merchant");
    }

    public Builder secret(String text) {
      return secret(() -> text);
    }

    /** The client calls this before each call, so a changed secret is used at once. */
    public Builder secret(Supplier<String> current) {
      this.secret = current;
      return this;
    }

    public Builder retries(RetryPolicy policy) {
      this.retries = policy;
      return this;
    }

    /**
     * The time limit of one attempt, to the reply's last byte; 30 s by default. For a stream, the limit to its headers
     * and of each read.
     */
    public Builder timeout(Duration limit) {
      this.timeout = limit;
      return this;
    }

    /** Your own HTTP client, for a proxy or a TLS context. It must not follow redirects. */
    public Builder httpClient(HttpClient client) {
      if (client.followRedirects() != HttpClient.Redirect.NEVER)
        throw new IllegalArgumentException("httpClient must not follow redirects, because its calls are signed");
      this.http = client;
      return this;
    }

    public AggregatorClient build() {
      Objects.requireNonNull(secret, "secret: give the merchant's secret");
      Supplier<HttpClient> client = http == null ? Builder::standardClient : () -> http;
      return new AggregatorClient(new Transport(client, baseUrl, merchant, secret, retries, timeout));
    }

    private static HttpClient standardClient() {
      return HttpClient.newBuilder()
          .connectTimeout(Duration.ofSeconds(5))
          // Only your code names a proxy, no property of another program.
          .proxy(HttpClient.Builder.NO_PROXY)
          .build();
    }
  }
}
