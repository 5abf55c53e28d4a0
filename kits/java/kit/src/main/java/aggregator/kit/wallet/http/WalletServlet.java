package aggregator.kit.wallet.http;

import aggregator.kit.signing.SignatureHeaders;
import aggregator.kit.wallet.WalletHandler;
import aggregator.kit.wallet.WalletReply;
import aggregator.kit.wallet.WalletRequest;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;

/**
 * The wallet as a Jakarta servlet. No filter before it may read the body. The signature covers the raw bytes, and
 * {@code getParameter} consumes some bodies.
 */
public final class WalletServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient WalletHandler handler;
  private final String target;

  /** Serves callbacks that arrive with the walletUrl's path and query. */
  public WalletServlet(WalletHandler handler) {
    this(handler, null);
  }

  /** @param target path and query of the walletUrl, if a proxy changes them before this servlet */
  public WalletServlet(WalletHandler handler, String target) {
    this.handler = handler;
    this.target = target;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
    byte[] body = request.getInputStream().readNBytes(WalletHandler.BODY_BYTES_MAX + 1);
    var headers = SignatureHeaders.read(name -> Collections.list(request.getHeaders(name)));
    WalletReply reply =
        handler.handle(
            new WalletRequest(request.getMethod(), target == null ? targetOf(request) : target, headers, body));
    response.setStatus(reply.status());
    response.setContentType(WalletReply.CONTENT_TYPE);
    response.setContentLength(reply.body().length);
    response.getOutputStream().write(reply.body());
  }

  /** Path and query as received. The servlet container decodes neither of them. */
  private static String targetOf(HttpServletRequest request) {
    String query = request.getQueryString();
    return query == null ? request.getRequestURI() : request.getRequestURI() + "?" + query;
  }
}
