package io.github.remotebrowser;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Reads a response, up to a size limit. */
final class BoundedBody implements BodySubscriber<byte[]> {
  // The service's results and errors are smaller.
  private static final int MAX_BYTES = 64 << 20;
  private static final int MAX_REFUSAL_BYTES = 1 << 20;

  private final BodySubscriber<byte[]> body = BodySubscribers.ofByteArray();
  private final boolean isRefusal;
  private Flow.Subscription subscription;
  private int bytes;
  private boolean isOver;

  /** A successful response is too large to be from the service. */
  static final class TooLong extends IOException {
    private static final long serialVersionUID = 1L;

    TooLong() {
      super("it has more than " + MAX_BYTES + " bytes");
    }
  }

  /**
   * @param isRefusal whether to truncate a large body instead of failing, because the status
   * matters
   */
  BoundedBody(boolean isRefusal) {
    this.isRefusal = isRefusal;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    body.onSubscribe(given);
  }

  @Override
  public void onNext(List<ByteBuffer> part) {
    if (isOver) return;
    long size = part.stream().mapToLong(ByteBuffer::remaining).sum();
    if (bytes + size <= (isRefusal ? MAX_REFUSAL_BYTES : MAX_BYTES)) {
      bytes += (int) size;
      body.onNext(part);
      return;
    }
    isOver = true;
    subscription.cancel();
    if (isRefusal) body.onComplete();
    else body.onError(new TooLong());
  }

  @Override
  public void onError(Throwable failure) {
    if (!isOver) body.onError(failure);
  }

  @Override
  public void onComplete() {
    if (!isOver) body.onComplete();
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body.getBody();
  }
}
