package aggregator.kit.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;

/** A server that sends prepared replies in order, including faulty replies, and records the calls. */
final class TestService implements AutoCloseable {
  /** At the end of a reply: close the connection after it. Alone: close the connection without a reply. */
  static final String CUT = "[cut]";

  /** The server sends the headers and the beginning of the body, and then nothing more. */
  static final String HALF = "HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\n{";

  private static final String REQUEST_ID = "5b1c6c1e-6b52-4c3c-8f1a-0c8f3e1f7c11";

  final List<Call> calls = Collections.synchronizedList(new ArrayList<>());
  private final Queue<String> replies = new ArrayDeque<>();
  private final ServerSocket server;

  TestService(String... replies) throws IOException {
    this.replies.addAll(List.of(replies));
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    inBackground(this::accept);
  }

  record Call(String method, String target, List<String> headers, String body, long atMs) {
    String header(String name) {
      return headers.stream()
          .filter(line -> line.toLowerCase().startsWith(name.toLowerCase() + ": "))
          .map(line -> line.substring(name.length() + 2))
          .findFirst()
          .orElse(null);
    }
  }

  static String data(String json) {
    return reply(200, "", "{\"success\":true,\"message\":\"\",\"statusCode\":200,\"data\":" + json + "}");
  }

  static String refusal(int status, String code, String more, String details) {
    String error =
        "{\"code\":\"%s\",\"message\":\"m\"%s,\"request_id\":\"%s\"}"
            .formatted(code, details.isEmpty() ? "" : ",\"details\":" + details, REQUEST_ID);
    return reply(
        status, more, "{\"success\":false,\"message\":\"m\",\"statusCode\":" + status + ",\"error\":" + error + "}");
  }

  static String reply(int status, String headers, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return "HTTP/1.1 " + status + " X\r\nContent-Length: " + length + "\r\n" + headers + "\r\n" + body;
  }

  String origin() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  AggregatorClient client(RetryPolicy retries) {
    return builder(retries).build();
  }

  AggregatorClient.Builder builder(RetryPolicy retries) {
    return AggregatorClient.builder(origin(), "shop").secret("sk_shop").retries(retries);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private void accept() throws IOException {
    while (true) {
      Socket socket = server.accept();
      inBackground(() -> serve(socket));
    }
  }

  private void serve(Socket socket) throws IOException {
    try (socket) {
      InputStream in = socket.getInputStream();
      while (true) {
        String head = head(in);
        List<String> lines = List.of(head.split("\r\n"));
        String[] first = lines.get(0).split(" ");
        Call noBody = new Call(first[0], first[1], lines, "", System.currentTimeMillis());
        String length = noBody.header("Content-Length");
        byte[] body = in.readNBytes(length == null ? 0 : Integer.parseInt(length));
        calls.add(
            new Call(first[0], first[1], lines, new String(body, StandardCharsets.UTF_8), noBody.atMs()));
        String reply = next();
        boolean isCut = reply.endsWith(CUT);
        String sent = isCut ? reply.substring(0, reply.length() - CUT.length()) : reply;
        socket.getOutputStream().write(sent.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        if (isCut) return;
      }
    }
  }

  private synchronized String next() {
    String reply = replies.poll();
    return reply == null ? refusal(500, "NO_REPLY_PREPARED", "", "") : reply;
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) throw new IOException("the connection was closed");
      head.write(next);
    }
    return head.toString(StandardCharsets.US_ASCII);
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void inBackground(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException cause) {
                // The test is over, or the client closed the connection.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}
