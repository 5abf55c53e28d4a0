package aggregator.kit.client;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A body that can be sent once. The JDK's client sends a GET again by itself when its connection breaks. The repeat
 * would have the same nonce, which the service may have used up. The JDK's client reads the body's length before each
 * sending. The second time this class throws an exception, so that the call fails and our client signs it anew.
 */
final class SentOnce implements BodyPublisher {
  private final BodyPublisher body;
  private final AtomicBoolean isSent = new AtomicBoolean();

  SentOnce(byte[] bytes) {
    this.body = bytes.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes);
  }

  @Override
  public long contentLength() {
    if (isSent.getAndSet(true)) throw new IllegalStateException("the connection broke");
    return body.contentLength();
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    body.subscribe(subscriber);
  }
}
