package aggregator.kit.client;

import aggregator.kit.signing.Signing;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Sends signed calls and reads their envelope. */
final class Transport {
  private static final byte[] NO_BODY = {};

  /** Firewalls refuse calls without a User-Agent. No coding of a reply is decoded. */
  private static final Map<String, String> HEADERS =
      Map.of("User-Agent", "game-aggregator-java/1.0.0", "Accept-Encoding", "identity");

  private final Supplier<HttpClient> newHttp;
  private volatile HttpClient http;
  private final String baseUrl;
  private final String merchant;
  private final Supplier<String> secret;
  private final RetryPolicy retries;
  private final Duration timeout;

  Transport(
      Supplier<HttpClient> newHttp,
      String baseUrl,
      String merchant,
      Supplier<String> secret,
      RetryPolicy retries,
      Duration timeout) {
    this.newHttp = newHttp;
    this.http = newHttp.get();
    this.baseUrl = baseUrl;
    this.merchant = merchant;
    this.secret = secret;
    this.retries = retries;
    this.timeout = timeout;
  }

  /** The data of a success. @param etag null: the reply had none */
  record Data(JsonNode json, String etag) {}

  RetryPolicy retries() {
    return retries;
  }

  JsonNode get(String target) {
    return getIfChanged(target, null).orElseThrow().json();
  }

  /** The data of a reply; empty: nothing has changed since the reply with this ETag. */
  Optional<Data> getIfChanged(String target, String etag) {
    Map<String, String> headers = etag == null ? Map.of() : Map.of("If-None-Match", etag);
    return withRetries(() -> data(send("GET", target, NO_BODY, headers, info -> new LimitedBody())));
  }

  /** One attempt of a GET. */
  JsonNode getOnce(String target) {
    return data(send("GET", target, NO_BODY, Map.of(), info -> new LimitedBody())).orElseThrow().json();
  }

  /** One attempt of a POST. */
  JsonNode postOnce(String target, byte[] body) {
    Map<String, String> headers = Map.of("Content-Type", "application/json");
    return data(send("POST", target, body, headers, info -> new LimitedBody())).orElseThrow().json();
  }

  /** A POST that is safe to repeat. */
  JsonNode postAgain(String target, byte[] body) {
    return withRetries(() -> postOnce(target, body));
  }

  /** A reply without an envelope, as a stream. Reading throws IOException when the stream is cut off. */
  InputStream stream(String target) {
    return withRetries(() -> streamOnce(target));
  }

  private InputStream streamOnce(String target) {
    HttpResponse<InputStream> response = send("GET", target, NO_BODY, Map.of(), streamOfSuccess());
    if (response.statusCode() == 200) return new TimedStream(response.body(), timeout);
    throw failure(response, envelope(response, response.body()));
  }

  /** Streams a success. Reads a refusal completely, within the deadline. */
  private static BodyHandler<InputStream> streamOfSuccess() {
    return info ->
        info.statusCode() == 200
            ? BodySubscribers.ofInputStream()
            : BodySubscribers.mapping(new LimitedBody(), ByteArrayInputStream::new);
  }

  private <T> T withRetries(Supplier<T> attempt) {
    for (int attempts = 1; ; attempts += 1) {
      try {
        return attempt.get();
      } catch (AggregatorException failure) {
        if (!retries.allows(attempts, failure)) throw failure;
        sleep(retries.delay(attempts, failure));
      }
    }
  }

  private static void sleep(Duration delay) {
    try {
      Thread.sleep(delay.toMillis());
    } catch (InterruptedException cause) {
      throw interrupted(cause);
    }
  }

  /** Signs a call anew and sends it once. */
  private <B> HttpResponse<B> send(
      String method, String target, byte[] body, Map<String, String> headers, BodyHandler<B> handler) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(baseUrl + target))
            // With HTTP/2 the JDK's client would repeat calls by itself.
            .version(HttpClient.Version.HTTP_1_1)
            .method(method, new SentOnce(body));
    HEADERS.forEach(request::header);
    headers.forEach(request::header);
    Signing.sign(merchant, secret.get(), method, target, body).toMap().forEach(request::header);
    CompletableFuture<HttpResponse<B>> reply = http.sendAsync(request.build(), handler);
    try {
      // HttpRequest.timeout would only cover the reply's headers. This deadline covers the whole reply.
      return checked(reply.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException cause) {
      reply.cancel(true);
      throw new NoReplyException("no complete reply from " + baseUrl + " within " + timeout.toMillis() + " ms", cause);
    } catch (ExecutionException cause) {
      throw new NoReplyException("no reply from " + baseUrl + ": " + cause.getCause(), cause.getCause());
    } catch (InterruptedException cause) {
      reply.cancel(true);
      throw interrupted(cause);
    }
  }

  private <B> HttpResponse<B> checked(HttpResponse<B> response) {
    String coding = response.headers().firstValue("Content-Encoding").orElse("identity");
    if (response.statusCode() < 200) {
      // Clients of old JDKs take an interim reply for the reply, and the next call would get the real one. So no call
      // uses the connections of this client any more.
      http = newHttp.get();
      throw new NoReplyException("HTTP " + response.statusCode() + " from " + baseUrl + " is no final reply", null);
    }
    if (!coding.equalsIgnoreCase("identity"))
      throw new NoReplyException(
          "the reply from " + baseUrl + " has the Content-Encoding " + coding + ", although only identity was accepted",
          null);
    return response;
  }

  private static NoReplyException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new NoReplyException("the thread was interrupted", cause);
  }

  /** The data of a success; empty: the reply was a 304. */
  private static Optional<Data> data(HttpResponse<byte[]> response) {
    int status = response.statusCode();
    if (status == 304) return Optional.empty();
    JsonNode envelope = envelope(response, new ByteArrayInputStream(response.body()));
    if (envelope.path("success").asBoolean() && envelope.path("data").isObject())
      return Optional.of(new Data(envelope.path("data"), response.headers().firstValue("ETag").orElse(null)));
    throw failure(response, envelope);
  }

  private static JsonNode envelope(HttpResponse<?> response, InputStream body) {
    try {
      return Json.MAPPER.readTree(body);
    } catch (IOException | NumberFormatException cause) {
      throw unreadable(response, cause);
    }
  }

  private static AggregatorException failure(HttpResponse<?> response, JsonNode envelope) {
    return envelope.path("error").isObject() ? refusal(response, envelope) : unreadable(response, null);
  }

  private static UnreadableReplyException unreadable(HttpResponse<?> response, Throwable cause) {
    return new UnreadableReplyException(response.statusCode(), retryAfter(response), cause);
  }

  private static ApiException refusal(HttpResponse<?> response, JsonNode envelope) {
    JsonNode error = envelope.path("error");
    JsonNode details = error.path("details");
    @SuppressWarnings("unchecked")
    Map<String, Object> more = details.isObject() ? Json.read(details, Map.class) : Map.of();
    List<ApiException.Fault> faults = details.isArray() ? Json.list(details, ApiException.Fault.class) : List.of();
    return ApiErrors.of(
        new ApiException.Refusal(
            error.path("code").asText("UNKNOWN"),
            error.path("message").asText(""),
            response.statusCode(),
            error.path("request_id").textValue(),
            more,
            faults,
            retryAfter(response)));
  }

  /** The header's whole seconds. A date, which a proxy may send, is ignored. */
  private static Duration retryAfter(HttpResponse<?> response) {
    return response
        .headers()
        .firstValue("Retry-After")
        .filter(text -> text.matches("[0-9]{1,6}"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)))
        .orElse(null);
  }
}
