package aggregator.kit.wallet;

import static org.junit.jupiter.api.Assertions.assertTrue;

import aggregator.kit.money.Currency;
import aggregator.kit.signing.Signing;
import aggregator.kit.wallet.http.WalletHttpHandler;
import aggregator.kit.wallet.http.WalletServlet;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The wallet in a server")
class AdaptersTest {
  @TempDir static Path folder;

  /** JSON in a form that no JSON library writes, so a parsed and rewritten body would not match. */
  private static final String SPACED_QUERY =
      "{\n \"action\" : \"balance\", \"player_id\":\"ana\", \"currency\":\"BRL\", \"provider\":\"A\","
          + "\"game\":\"\u00e3/\\u00e3\"}";

  /** The servers that serve the wallet at /wallet. */
  enum Kind {
    TOMCAT,
    JDK
  }

  private interface Server extends AutoCloseable {
    int port();

    @Override
    void close() throws LifecycleException;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("the target is signed as it stands on the request line, and the body as it comes")
  void genuine(Kind kind) throws Exception {
    try (Server server = start(kind, null)) {
      for (String target : List.of("/wallet", "/wallet?b=1", "/wallet/%7Ea/%C3%A3?x=%20y+z&b=%2F", "/wallet?a=b&a=;c")) {
        byte[] body = SPACED_QUERY.getBytes(StandardCharsets.UTF_8);
        String reply = send(server, "POST", target, signed("POST", target, body), body);
        assertTrue(reply.startsWith("HTTP/1.1 200"), target + ": " + reply);
        assertTrue(reply.endsWith("{\"ok\":true,\"balance\":100}"), reply);
        assertTrue(reply.toLowerCase().contains("content-type: application/json"), reply);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a repeated header, another path and another method are refused, and a large body, too")
  void refused(Kind kind) throws Exception {
    try (Server server = start(kind, null)) {
      byte[] body = TestCallback.balance("shop", "ana").body();
      String headers = signed("POST", "/wallet", body);
      assertTrue(send(server, "POST", "/wallet", headers, body).startsWith("HTTP/1.1 200"));
      String repeated = headers + "X-Nonce: 00112233445566778899aabbccddeeff\r\n";
      assertTrue(send(server, "POST", "/wallet", repeated, body).startsWith("HTTP/1.1 401"));
      assertTrue(send(server, "POST", "/wallet/x", headers, body).startsWith("HTTP/1.1 401"));
      assertTrue(send(server, "PUT", "/wallet", headers, body).startsWith("HTTP/1.1 405"));
      assertTrue(send(server, "GET", "/wallet", "", new byte[0]).startsWith("HTTP/1.1 405"));
      byte[] large = new byte[WalletHandler.BODY_BYTES_MAX + 1];
      assertTrue(send(server, "POST", "/wallet", headers, large).startsWith("HTTP/1.1 413"));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("behind a proxy that rewrites the path, the walletUrl's own target counts")
  void rewritten(Kind kind) throws Exception {
    try (Server server = start(kind, "/hooks/wallet?b=1")) {
      byte[] body = TestCallback.balance("shop", "ana").body();
      String headers = signed("POST", "/hooks/wallet?b=1", body);
      assertTrue(send(server, "POST", "/wallet", headers, body).startsWith("HTTP/1.1 200"));
      assertTrue(send(server, "POST", "/wallet", signed("POST", "/wallet", body), body).startsWith("HTTP/1.1 401"));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a callback that is cut off in the middle of its body changes nothing")
  void cut(Kind kind) throws Exception {
    try (Server server = start(kind, null)) {
      byte[] win = TestCallback.move("shop", "win", "ana", "w1", "1").body();
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        OutputStream out = socket.getOutputStream();
        out.write(head("POST", "/wallet", signed("POST", "/wallet", win), win.length));
        out.write(win, 0, win.length - 5);
        out.flush();
      }
      byte[] query = TestCallback.balance("shop", "ana").body();
      String reply = send(server, "POST", "/wallet", signed("POST", "/wallet", query), query);
      assertTrue(reply.endsWith("{\"ok\":true,\"balance\":100}"), reply);
      assertTrue(send(server, "POST", "/wallet", signed("POST", "/wallet", win), win).endsWith("101}"));
    }
  }

  private static Server start(Kind kind, String target) throws IOException, LifecycleException {
    MemoryStorage storage = new MemoryStorage();
    storage.createPlayer("shop", "ana", 10_000, false);
    var merchants = Merchants.of(List.of(new MerchantAccount("shop", List.of("sk_shop"), Currency.BRL)));
    WalletHandler wallet = new WalletHandler(merchants, storage);
    return kind == Kind.JDK ? jdk(wallet, target) : tomcat(wallet, target);
  }

  private static Server jdk(WalletHandler wallet, String target) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.createContext("/wallet", new WalletHttpHandler(wallet, target));
    server.start();
    return new Server() {
      @Override
      public int port() {
        return server.getAddress().getPort();
      }

      @Override
      public void close() {
        server.stop(0);
      }
    };
  }

  private static Server tomcat(WalletHandler wallet, String target) throws LifecycleException {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    Context context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "wallet", new WalletServlet(wallet, target));
    context.addServletMappingDecoded("/wallet/*", "wallet");
    tomcat.getConnector();
    tomcat.start();
    return new Server() {
      @Override
      public int port() {
        return tomcat.getConnector().getLocalPort();
      }

      @Override
      public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
      }
    };
  }

  private static String signed(String method, String target, byte[] body) {
    Map<String, String> headers = Signing.sign("shop", "sk_shop", method, target, body).toMap();
    return headers.entrySet().stream()
        .map(header -> header.getKey() + ": " + header.getValue() + "\r\n")
        .collect(Collectors.joining());
  }

  private static byte[] head(String method, String target, String headers, int length) {
    return Stream.of(method + " " + target + " HTTP/1.1", "Host: wallet", "Connection: close", "Content-Length: " + length)
        .collect(Collectors.joining("\r\n", "", "\r\n" + headers + "\r\n"))
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Sends a request over a plain socket, because an HTTP client could change the target. Returns head and body. */
  private static String send(Server server, String method, String target, String headers, byte[] body)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(head(method, target, headers, body.length));
      socket.getOutputStream().write(body);
      ByteArrayOutputStream reply = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(reply);
      return reply.toString(StandardCharsets.UTF_8);
    }
  }
}
