package io.github.remotebrowser;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.remotebrowser.core.Sender;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Makes one attempt of a call.
 *
 * @param timeout the maximum time from connecting to the last byte
 * @param limit the limit that the timeout comes from, for messages
 */
record Wire(Operation operation, Settings settings, Duration timeout, Limit limit)
    implements Sender {

  /**
   * @throws RemoteBrowserError if the attempt fails
   */
  @Override
  public <T> T send(
      String method, String path, Class<T> type, @Nullable Object body, String... headers) {
    try {
      HttpResponse<byte[]> answer = exchange(toRequest(method, path, body, headers));
      if (answer.statusCode() / 100 != 2) throw Refusal.toError(answer, settings);
      if (type == byte[].class) return type.cast(requireAccepted(answer));
      String text = textOf(answer);
      T read = text.isBlank() ? null : Json.WIRE.readValue(text, type);
      if (read != null) return read;
      throw new InvalidAnswerError("The response to " + operation + " is empty.", null);
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new InterruptedError(operation, interruption);
    } catch (IOException failure) {
      throw Failures.toError(operation, settings, limit, failure);
    }
  }

  static String textOf(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  /** Returns the bytes of a response whose type the request accepts. */
  private byte[] requireAccepted(HttpResponse<byte[]> answer) {
    String accepted = answer.request().headers().firstValue("Accept").orElse("");
    String type = answer.headers().firstValue("Content-Type").orElse("");
    if (List.of(accepted.split(", ")).contains(type.split(";")[0])) return answer.body();
    throw new InvalidAnswerError("The response to " + operation + " is not " + accepted + ".", null);
  }

  private HttpRequest toRequest(
      String method, String path, @Nullable Object body, String... headers)
      throws JsonProcessingException {
    String query = body instanceof Map<?, ?> parameters ? toQuery(parameters) : "";
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(settings.url() + path + query));
    // Without this, the JDK offers an upgrade to HTTP/2, but the server only supports upgrades to
    // WebSocket.
    request.version(HttpClient.Version.HTTP_1_1);
    if (body == null || body instanceof Map) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.method(method, BodyPublishers.ofByteArray(Json.WIRE.writeValueAsBytes(body)));
      request.header("Content-Type", "application/json");
    }
    for (int index = 0; index < headers.length; index += 2) {
      if (headers[index + 1] != null) request.header(headers[index], headers[index + 1]);
    }
    // Errors are JSON.
    request.header("Accept", "application/json");
    request.header("User-Agent", "remote-browser-java/" + Version.TEXT);
    settings.headers().forEach(request::setHeader);
    request.setHeader("Authorization", "Bearer " + settings.token());
    return request.build();
  }

  private static String toQuery(Map<?, ?> parameters) {
    return parameters.entrySet().stream()
        .map(each -> each.getKey() + "=" + encode(each.getValue().toString()))
        .collect(Collectors.joining("&", "?", ""));
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** Stops when the thread is interrupted. */
  private HttpResponse<byte[]> exchange(HttpRequest request)
      throws IOException, InterruptedException {
    // The JDK's own timeout doesn't include the body, and treats a slow server as unreachable.
    CompletableFuture<HttpResponse<byte[]>> sent =
        settings
            .httpClient()
            .sendAsync(request, info -> new BoundedBody(info.statusCode() >= 300));
    try {
      return sent.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new HttpTimeoutException("The response was not complete in time.");
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof IOException cause
          ? cause
          : new IOException(failure.getCause());
    } finally {
      // Closes the connection of an unfinished exchange.
      sent.cancel(true);
    }
  }
}
