package aggregator.kit.client;

import static aggregator.kit.client.TestService.data;
import static aggregator.kit.client.TestService.refusal;
import static aggregator.kit.client.TestService.reply;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The feed")
class FeedTest {
  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");
  private static final RetryPolicy ONCE = new RetryPolicy(1, Duration.ofMillis(20), Duration.ofMillis(100));

  @Test
  @DisplayName("it goes on from the cursor at once while there is more, and waits a second at the end")
  void pages() throws IOException {
    try (TestService service = new TestService(page("c1", 2), page("c2", 1), page("c2", 0))) {
      try (Feed feed = service.client(ONCE).feed(new FeedQuery().limit(2), SINCE)) {
        for (String cursor : List.of("c1", "c2", "c2")) assertEquals(cursor, feed.next().cursor());
      }
      assertEquals(
          List.of(
              "/v1/transactions?updated_since=2026-01-01T00%3A00%3A00Z&limit=2",
              "/v1/transactions?cursor=c1&limit=2",
              "/v1/transactions?cursor=c2&limit=2"),
          service.calls.stream().map(TestService.Call::target).toList());
      assertTrue(service.calls.get(1).atMs() - service.calls.get(0).atMs() < 900);
      assertTrue(service.calls.get(2).atMs() - service.calls.get(1).atMs() >= 990);
    }
  }

  @Test
  @DisplayName("a stored cursor is gone on from, and a page tells whether it is the end")
  void cursor() throws IOException {
    try (TestService service = new TestService(page("c8", 0), page("c8", 0))) {
      try (Feed feed = service.client(ONCE).feed(new FeedQuery().limit(5).playerId("ana"), "c7")) {
        assertFalse(feed.next().atEnd(), "a filtered page without items may be on the way");
        assertTrue(feed.next().atEnd(), "the cursor stayed");
      }
      assertEquals("/v1/transactions?cursor=c7&limit=5", service.calls.get(0).target());
    }
  }

  @Test
  @DisplayName("limits, faults and broken connections are waited for, however often, each call signed anew")
  void faults() throws IOException {
    String limited = refusal(429, "RATE_LIMITED", "Retry-After: 1\r\n", "");
    String down = refusal(503, "SERVICE_UNAVAILABLE", "", "");
    try (TestService service =
        new TestService(limited, TestService.CUT, down, down, down, reply(502, "", "<html>"), page("c1", 1))) {
      try (Feed feed = service.client(ONCE).feed(new FeedQuery(), SINCE)) {
        assertEquals(1, feed.next().items().size());
      }
      assertTrue(service.calls.get(1).atMs() - service.calls.get(0).atMs() >= 990);
      assertEquals(
          service.calls.size(), service.calls.stream().map(call -> call.header("X-Nonce")).distinct().count());
    }
  }

  @Test
  @DisplayName("a Retry-After of days is waited for five minutes")
  void days() {
    var refusal = new ApiException.Refusal("RATE_LIMITED", "m", 429, "id", null, List.of(), Duration.ofDays(11));
    Duration delay = RetryPolicy.DEFAULT.delay(1, ApiErrors.of(refusal));
    assertTrue(delay.toSeconds() >= 300 && delay.toSeconds() <= 330, delay.toString());
  }

  @Test
  @DisplayName("a refusal that stays is thrown")
  void refused() throws IOException {
    try (TestService service = new TestService(refusal(401, "INVALID_SIGNATURE", "", ""));
        Feed feed = service.client(ONCE).feed(new FeedQuery(), SINCE)) {
      assertThrows(ApiErrors.InvalidSignature.class, feed::hasNext);
    }
  }

  @Test
  @DisplayName("closing it from another thread ends the iteration at once")
  void close() throws IOException, InterruptedException {
    try (TestService service = new TestService(page("c1", 0))) {
      Feed feed = service.client(ONCE).feed(new FeedQuery(), SINCE);
      feed.next();
      Thread closer = new Thread(feed::close);
      long began = System.nanoTime();
      closer.start();
      assertFalse(feed.hasNext());
      assertTrue(Duration.ofNanos(System.nanoTime() - began).toMillis() < 900);
      closer.join();
    }
  }

  private static String page(String cursor, int items) {
    String item = AggregatorClientTest.ITEM.formatted("b", "1");
    String list = String.join(",", Collections.nCopies(items, item));
    return data("{\"items\":[" + list + "],\"next_cursor\":\"" + cursor + "\",\"behind_ms\":140}");
  }
}
