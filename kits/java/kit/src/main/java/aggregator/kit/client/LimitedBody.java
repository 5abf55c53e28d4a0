package aggregator.kit.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The bytes of a reply. It stops to read a reply that is too large, so that no reply can fill the memory. */
final class LimitedBody implements BodySubscriber<byte[]> {
  /** Far above a page of 1,000 transactions. An export has no limit, because it is streamed. */
  static final int BYTES_MAX = 64 << 20;

  private final CompletableFuture<byte[]> result = new CompletableFuture<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private Flow.Subscription subscription;

  @Override
  public CompletionStage<byte[]> getBody() {
    return result;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (result.isDone()) return;
      if (buffer.remaining() > BYTES_MAX - bytes.size()) {
        subscription.cancel();
        result.completeExceptionally(new IOException("the reply has more than " + BYTES_MAX + " bytes"));
        return;
      }
      byte[] piece = new byte[buffer.remaining()];
      buffer.get(piece);
      bytes.writeBytes(piece);
    }
  }

  @Override
  public void onError(Throwable cause) {
    result.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    result.complete(bytes.toByteArray());
  }
}
