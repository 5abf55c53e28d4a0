package aggregator.kit.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A stream of which no read may take longer than the limit. The JDK's stream would wait for ever. */
final class TimedStream extends FilterInputStream {
  private final Duration limit;
  private final Executor atLimit;
  private volatile boolean isLate;

  TimedStream(InputStream in, Duration limit) {
    super(in);
    this.limit = limit;
    this.atLimit = CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    CompletableFuture<Void> timer = CompletableFuture.runAsync(this::giveUp, atLimit);
    try {
      int count = in.read(into, from, length);
      // A closed stream looks like one that has ended.
      if (isLate) throw late();
      return count;
    } catch (IOException cause) {
      throw isLate ? late() : cause;
    } finally {
      timer.cancel(false);
    }
  }

  private IOException late() {
    return new IOException("no byte came within " + limit.toMillis() + " ms");
  }

  private void giveUp() {
    isLate = true;
    try {
      in.close();
    } catch (IOException cause) {
      throw new UncheckedIOException(cause);
    }
  }
}
