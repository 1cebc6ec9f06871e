package io.github.remotebrowser;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Flow;

/** Reads a response's complete body before passing it to the generated core. */
final class WholeBody {
  private static final Flow.Subscription NOTHING_MORE =
      new Flow.Subscription() {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
      };

  private WholeBody() {}

  /** Passes the complete body to the handler. */
  static <T> BodyHandler<T> before(BodyHandler<T> handler) {
    return info ->
        BodySubscribers.mapping(
            new BoundedText(info.statusCode() >= 300), text -> read(handler.apply(info), text));
  }

  private static <T> T read(BodySubscriber<T> subscriber, String text) {
    subscriber.onSubscribe(NOTHING_MORE);
    if (!text.isEmpty()) subscriber.onNext(List.of(ByteBuffer.wrap(toAscii(text))));
    subscriber.onComplete();
    return subscriber.getBody().toCompletableFuture().join();
  }

  /**
   * Escapes JSON to ASCII, because the core reads it with the machine's default charset, which
   * before Java 18 is not always UTF-8. Only strings in JSON have other characters.
   */
  private static byte[] toAscii(String json) {
    StringBuilder escaped = new StringBuilder(json.length());
    for (char unit : json.toCharArray()) {
      if (unit < 0x80) escaped.append(unit);
      else escaped.append("\\u").append(Integer.toHexString(0x10000 | unit), 1, 5);
    }
    return escaped.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
