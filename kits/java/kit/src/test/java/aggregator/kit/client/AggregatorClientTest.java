package aggregator.kit.client;

import static aggregator.kit.client.TestService.data;
import static aggregator.kit.client.TestService.refusal;
import static aggregator.kit.client.TestService.reply;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aggregator.kit.Project;
import aggregator.kit.signing.SignatureHeaders;
import aggregator.kit.signing.Signing;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The client")
class AggregatorClientTest {
  private static final RetryPolicy QUICK = new RetryPolicy(3, Duration.ofMillis(10), Duration.ofSeconds(2));
  private static final String MERCHANT =
      "{\"code\":\"shop\",\"currency\":\"BRL\",\"server_time\":1767225600000,\"new_field\":{\"x\":1}}";
  static final String ITEM =
      "{\"tx_id\":\"%s\",\"round_id\":\"r\",\"ref_tx_id\":null,\"action\":\"bet\",\"amount\":%s,"
          + "\"status\":\"new_status\",\"balance\":9999999999999.99,\"attempts\":1,\"next_attempt_at\":null,"
          + "\"created_at\":\"2026-01-01T00:00:00.120Z\",\"updated_at\":\"2026-01-01T00:00:00.120Z\","
          + "\"added_later\":[]}";

  @Test
  @DisplayName("a call is signed over what is on its request line, and unknown fields of the reply are ignored")
  void signed() throws IOException {
    String games = "{\"items\":[],\"next_cursor\":null,\"total\":0}";
    try (TestService service = new TestService(data(MERCHANT), data(games))) {
      AggregatorClient client = service.client(RetryPolicy.NEVER);
      assertEquals("BRL", client.merchant().currency());
      client.games(new GameQuery().search("ação & é/+ 100%").demoAvailable(true)).limit(7).page(null);
      assertEquals(
          "/v1/games?q=a%C3%A7%C3%A3o+%26+%C3%A9%2F%2B+100%25&demo_available=true&limit=7",
          service.calls.get(1).target());
      for (TestService.Call call : service.calls) assertGenuine(call);
    }
  }

  @Test
  @DisplayName("ids in a path are escaped, an address with a path of its own is called there and signed from /v1")
  void paths() throws IOException {
    String item = ITEM.formatted("ACME:b2/ã+ ?", "2.5");
    String log =
        "[{\"n\":1,\"at\":\"2026-01-01T00:00:00.000Z\",\"duration_ms\":31,\"http_status\":404,"
            + "\"result\":\"not_json\",\"request_id\":null,\"reply_start\":\"<h1>\"}]";
    String details = item.replace("\"added_later\":[]", "\"attempt_log\":" + log);
    try (TestService service = new TestService(data(details), data(item))) {
      AggregatorClient client =
          AggregatorClient.builder(service.origin() + "/api/", "shop").secret("sk_shop").build();
      TransactionDetails shown = client.transaction("ACME:b2/ã+ ?");
      assertEquals("ACME:b2/ã+ ?", shown.transaction().txId());
      Instant at = Instant.parse("2026-01-01T00:00:00Z");
      var attempt = new TransactionDetails.Attempt(1, at, 31, 404, "not_json", null, "<h1>");
      assertEquals(List.of(attempt), shown.attemptLog());
      client.resend("ACME:b2/ã+ ?");
      assertEquals("/api/v1/transactions/ACME%3Ab2%2F%C3%A3%2B%20%3F", service.calls.get(0).target());
      assertEquals("/api/v1/transactions/ACME%3Ab2%2F%C3%A3%2B%20%3F/resend", service.calls.get(1).target());
      for (TestService.Call call : service.calls) assertGenuine(call);
    }
  }

  @Test
  @DisplayName("amounts are exact, times are instants, and unknown values of a status are passed on")
  void exact() throws IOException {
    String page = "{\"items\":[" + ITEM.formatted("b1", "9999999999.99") + "],\"next_cursor\":null}";
    try (TestService service = new TestService(data(page))) {
      Transaction only = service.client(QUICK).transactions(new TransactionQuery()).iterator().next();
      assertEquals(new BigDecimal("9999999999.99"), only.amount());
      assertEquals(new BigDecimal("9999999999999.99"), only.balance());
      assertEquals("new_status", only.status());
      assertEquals(Instant.parse("2026-01-01T00:00:00.120Z"), only.createdAt());
      assertNull(only.refTxId());
    }
  }

  @Test
  @DisplayName("a listing goes from page to page by the cursor alone, asks no more than is needed, and begins anew")
  void pages() throws IOException {
    String first = "{\"items\":[" + ITEM.formatted("b1", "1") + "],\"next_cursor\":\"c=1\"}";
    String second = "{\"items\":[" + ITEM.formatted("b2", "1") + "],\"next_cursor\":null}";
    try (TestService service = new TestService(data(first), data(second), data(first))) {
      var listing = service.client(QUICK).transactions(new TransactionQuery().status("failed").oldestFirst()).limit(1);
      assertEquals(List.of("b1", "b2"), listing.stream().map(Transaction::txId).toList());
      listing.iterator().next();
      assertEquals(
          List.of(
              "/v1/transactions?status=failed&order=asc&limit=1",
              "/v1/transactions?cursor=c%3D1&limit=1",
              "/v1/transactions?status=failed&order=asc&limit=1"),
          service.calls.stream().map(TestService.Call::target).toList());
    }
  }

  @Test
  @DisplayName("a call that may succeed later is made again, signed anew, after the time that is asked for")
  void retries() throws IOException {
    String limited = refusal(429, "RATE_LIMITED", "Retry-After: 1\r\n", "{\"limit\":\"catalog\"}");
    try (TestService service = new TestService(limited, TestService.CUT, data(MERCHANT))) {
      assertEquals("shop", service.client(QUICK).merchant().code());
      assertEquals(3, service.calls.size());
      assertTrue(service.calls.get(1).atMs() - service.calls.get(0).atMs() >= 990);
      assertEquals(3, service.calls.stream().map(call -> call.header("X-Nonce")).distinct().count());
      for (TestService.Call call : service.calls) assertGenuine(call);
    }
  }

  @Test
  @DisplayName("attempts end, a refusal that stays is not repeated, nor one that asks for too long a time")
  void givesUp() throws IOException {
    String down = refusal(503, "SERVICE_UNAVAILABLE", "", "");
    try (TestService service = new TestService(down, down, down, data(MERCHANT))) {
      assertThrows(ApiErrors.ServiceUnavailable.class, service.client(QUICK)::merchant);
      assertEquals(3, service.calls.size());
    }
    try (TestService service = new TestService(refusal(401, "INVALID_SIGNATURE", "", "{\"reason\":\"old_secret\"}"))) {
      var failure = assertThrows(ApiErrors.InvalidSignature.class, service.client(QUICK)::merchant);
      assertEquals("old_secret", failure.details().get("reason"));
      assertEquals(1, service.calls.size());
    }
    try (TestService service = new TestService(refusal(429, "RATE_LIMITED", "Retry-After: 60\r\n", ""))) {
      var failure = assertThrows(ApiErrors.RateLimited.class, service.client(QUICK)::merchant);
      assertEquals(Duration.ofSeconds(60), failure.retryAfter().orElseThrow());
      assertEquals(1, service.calls.size());
    }
  }

  @Test
  @DisplayName("a launch is sent once, also when its connection breaks")
  void launchOnce() throws IOException {
    try (TestService service = new TestService(TestService.CUT, refusal(503, "SERVICE_UNAVAILABLE", "", ""))) {
      AggregatorClient client = service.client(QUICK);
      LaunchRequest request = new LaunchRequest("joão-1", "fruits").lang("pt").demo();
      assertThrows(NoReplyException.class, () -> client.launch(request));
      assertThrows(ApiErrors.ServiceUnavailable.class, () -> client.launch(request));
      assertEquals(2, service.calls.size());
      assertEquals(
          "{\"player_id\":\"joão-1\",\"game\":\"fruits\",\"lang\":\"pt\",\"demo\":true}", service.calls.get(0).body());
      assertGenuine(service.calls.get(0));
    }
  }

  @Test
  @DisplayName("a reply that stops half-way is given up at the deadline")
  void deadline() throws IOException {
    try (TestService service = new TestService(TestService.HALF)) {
      AggregatorClient client = service.builder(RetryPolicy.NEVER).timeout(Duration.ofMillis(300)).build();
      long began = System.nanoTime();
      assertThrows(NoReplyException.class, client::merchant);
      assertTrue(Duration.ofNanos(System.nanoTime() - began).toMillis() < 3_000);
    }
  }

  @Test
  @DisplayName("a page of a proxy is no refusal of the service, and is told with its status")
  void proxyPage() throws IOException {
    try (TestService service = new TestService(reply(404, "", "<html>"), reply(200, "", "{}"), reply(502, "", ""))) {
      AggregatorClient client = service.client(RetryPolicy.NEVER);
      for (int status : new int[] {404, 200, 502}) {
        var failure = assertThrows(UnreadableReplyException.class, client::merchant);
        assertEquals(status, failure.httpStatus());
        assertEquals(status == 502, failure.mayRetry());
      }
    }
  }

  @Test
  @DisplayName("a success whose JSON does not fit is an AggregatorException, too")
  void otherJson() throws IOException {
    try (TestService service = new TestService(data("{\"server_time\":\"now\"}"), data("{\"items\":[]}"))) {
      AggregatorClient client = service.client(RetryPolicy.NEVER);
      var failure = assertThrows(UnreadableReplyException.class, client::merchant);
      assertTrue(failure.getMessage().endsWith("does not fit Merchant"), failure.getMessage());
      Feed feed = client.feed(new FeedQuery(), Instant.EPOCH);
      assertThrows(UnreadableReplyException.class, feed::next);
    }
  }

  @Test
  @DisplayName("each code that merchants meet has a class, and an unknown code is an ApiException")
  void types() throws IOException {
    String table = Project.read("docs/specification/errors.md");
    List<String> codes =
        Pattern.compile("(?m)^\\| ([A-Z_]+) \\|[^|]*\\|[^|]*\\|[^|]*\\|[^|]*merchants[^|]*\\|")
            .matcher(table)
            .results()
            .map((MatchResult row) -> row.group(1))
            .toList();
    assertTrue(codes.size() >= 30, codes.toString());
    for (String code : codes) {
      ApiException made = ApiErrors.of(new ApiException.Refusal(code, "m", 400, "id", null, List.of(), null));
      assertTrue(code.replace("_", "").equalsIgnoreCase(made.getClass().getSimpleName()), code);
      assertEquals(code, made.code());
      assertEquals(code + " (HTTP 400, request id): m", made.getMessage());
    }
    ApiException unknown = ApiErrors.of(new ApiException.Refusal("NEW", "m", 400, "id", null, List.of(), null));
    assertEquals(ApiException.class, unknown.getClass());
  }

  @Test
  @DisplayName("a refusal has its request id, and VALIDATION_ERROR its faults")
  void validation() throws IOException {
    String faults = "[{\"field\":\"limit\",\"rule\":\"1..500\",\"message\":\"m\"}]";
    try (TestService service = new TestService(refusal(422, "VALIDATION_ERROR", "", faults))) {
      var failure = assertThrows(ApiErrors.ValidationError.class, service.client(QUICK)::merchant);
      assertEquals(List.of(new ApiException.Fault("limit", "1..500", "m")), failure.faults());
      assertEquals("5b1c6c1e-6b52-4c3c-8f1a-0c8f3e1f7c11", failure.requestId());
      assertEquals(422, failure.httpStatus());
      assertTrue(failure.getMessage().contains(failure.requestId()));
      assertInstanceOf(AggregatorException.class, failure);
    }
  }

  @Test
  @DisplayName("an unchanged page of the catalog is empty, a changed one has its new tag")
  void etags() throws IOException {
    String page = data("{\"items\":[{\"code\":\"ACME\",\"name\":\"Acme\",\"active\":true,\"games\":2}],\"total\":1}");
    try (TestService service =
        new TestService(page.replace("Content", "ETag: \"v1\"\r\nContent"), "HTTP/1.1 304 X\r\n\r\n")) {
      Listing<Provider> providers = service.client(QUICK).providers();
      Page<Provider> first = providers.page(null);
      assertEquals(new Page<>(List.of(new Provider("ACME", "Acme", true, 2)), null, 1L, "\"v1\""), first);
      assertTrue(providers.pageIfChanged(null, first.etag()).isEmpty());
      assertEquals("\"v1\"", service.calls.get(1).header("If-None-Match"));
    }
  }

  @Test
  @DisplayName("an export is a stream, a refusal of it an error, and a stream that is cut off is told")
  void exports() throws IOException {
    String cut = "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nkey\r\n";
    try (TestService service =
        new TestService(
            reply(200, "", "key,bets\r\n"), refusal(422, "VALIDATION_ERROR", "", ""), cut + TestService.CUT)) {
      AggregatorClient client = service.client(QUICK);
      GgrQuery june =
          new GgrQuery(LocalDate.of(2026, 6, 1), LocalDate.of(2026, 6, 30)).timeZone(ZoneId.of("America/Sao_Paulo"));
      try (InputStream csv = client.ggrCsv(june)) {
        assertEquals("key,bets\r\n", new String(csv.readAllBytes(), StandardCharsets.UTF_8));
      }
      assertEquals(
          "/v1/reports/ggr?from=2026-06-01&to=2026-06-30&tz=America%2FSao_Paulo&format=csv",
          service.calls.get(0).target());
      TransactionQuery all = new TransactionQuery();
      assertThrows(
          ApiErrors.ValidationError.class, () -> client.export(all, AggregatorClient.ExportFormat.NDJSON));
      try (InputStream half = client.export(all, AggregatorClient.ExportFormat.CSV)) {
        assertThrows(IOException.class, half::readAllBytes);
      }
    }
  }

  @Test
  @DisplayName("a wrong base address and a missing secret are told at once")
  void settings() {
    for (String wrong : List.of("https://api.example/v1", "https://api.example/v1/", "api.example", "https://a.b/?x=1"))
      assertThrows(IllegalArgumentException.class, () -> AggregatorClient.builder(wrong, "shop"), wrong);
    Exception missing =
        assertThrows(NullPointerException.class, () -> AggregatorClient.builder("https://api.example", "shop").build());
    assertTrue(missing.getMessage().startsWith("secret"));
    assertThrows(IllegalArgumentException.class, () -> new RetryPolicy(0, Duration.ZERO, Duration.ZERO));
    assertFalse(RetryPolicy.NEVER.allows(1, new NoReplyException("", null)));
  }

  private static void assertGenuine(TestService.Call call) {
    SignatureHeaders headers =
        new SignatureHeaders(
            call.header("X-Merchant-Id"),
            call.header("X-Timestamp"),
            call.header("X-Nonce"),
            call.header("X-Signature"),
            null);
    String target = call.target().substring(call.target().indexOf("/v1"));
    byte[] body = call.body().getBytes(StandardCharsets.UTF_8);
    assertTrue(Signing.verify(List.of("sk_shop"), headers, call.method(), target, body), call.toString());
  }
}
