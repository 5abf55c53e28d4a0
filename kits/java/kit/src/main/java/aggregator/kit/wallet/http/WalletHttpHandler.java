package aggregator.kit.wallet.http;

import aggregator.kit.signing.SignatureHeaders;
import aggregator.kit.wallet.WalletHandler;
import aggregator.kit.wallet.WalletReply;
import aggregator.kit.wallet.WalletRequest;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;

/** The wallet for the JDK's own HTTP server. */
public final class WalletHttpHandler implements HttpHandler {
  private final WalletHandler handler;
  private final String target;

  /** Serves callbacks that arrive with the walletUrl's path and query. */
  public WalletHttpHandler(WalletHandler handler) {
    this(handler, null);
  }

  /** @param target path and query of the walletUrl, if a proxy changes them before this server */
  public WalletHttpHandler(WalletHandler handler, String target) {
    this.handler = handler;
    this.target = target;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readNBytes(WalletHandler.BODY_BYTES_MAX + 1);
      var headers = SignatureHeaders.read(exchange.getRequestHeaders()::get);
      // The text of a parsed URI is the same as on the request line.
      String sent = target == null ? exchange.getRequestURI().toString() : target;
      WalletReply reply = handler.handle(new WalletRequest(exchange.getRequestMethod(), sent, headers, body));
      exchange.getResponseHeaders().set("Content-Type", WalletReply.CONTENT_TYPE);
      exchange.sendResponseHeaders(reply.status(), reply.body().length);
      exchange.getResponseBody().write(reply.body());
    }
  }
}
