package io.github.remotebrowser;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Reads a response as text, up to a size limit. */
final class BoundedText implements BodySubscriber<String> {
  // The service's results and errors are smaller.
  private static final int MAX_BYTES = 64 << 20;
  private static final int MAX_REFUSAL_BYTES = 1 << 20;

  private final BodySubscriber<String> text = BodySubscribers.ofString(StandardCharsets.UTF_8);
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
  BoundedText(boolean isRefusal) {
    this.isRefusal = isRefusal;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    text.onSubscribe(given);
  }

  @Override
  public void onNext(List<ByteBuffer> part) {
    if (isOver) return;
    long size = part.stream().mapToLong(ByteBuffer::remaining).sum();
    if (bytes + size <= (isRefusal ? MAX_REFUSAL_BYTES : MAX_BYTES)) {
      bytes += (int) size;
      text.onNext(part);
      return;
    }
    isOver = true;
    subscription.cancel();
    if (isRefusal) text.onComplete();
    else text.onError(new TooLong());
  }

  @Override
  public void onError(Throwable failure) {
    if (!isOver) text.onError(failure);
  }

  @Override
  public void onComplete() {
    if (!isOver) text.onComplete();
  }

  @Override
  public CompletionStage<String> getBody() {
    return text.getBody();
  }
}
