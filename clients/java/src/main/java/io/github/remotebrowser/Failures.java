package io.github.remotebrowser;

import com.fasterxml.jackson.core.JacksonException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Converts exceptions of the JDK and Jackson to this client's errors. */
final class Failures {
  private Failures() {}

  /**
   * Returns the error for a failed attempt.
   *
   * @param limit the attempt's timeout, for messages
   */
  static RemoteBrowserError toError(
      Operation operation, Settings settings, Limit limit, IOException cause) {
    if (cause instanceof JacksonException misfit) {
      String message = "The response to %s does not match the contract: %s.";
      // Without the cause, which quotes values from the response.
      return new InvalidAnswerError(
          message.formatted(operation, Misfit.describe(misfit, settings.secrets())), null);
    }
    if (cause instanceof BoundedBody.TooLong) {
      String message = "The response to %s is not from the service: %s.";
      return new InvalidAnswerError(message.formatted(operation, cause.getMessage()), cause);
    }
    if (cause instanceof HttpTimeoutException && !(cause instanceof HttpConnectTimeoutException)) {
      String message = "No complete response to %s from %s within %s.%s";
      return new TimeoutError(
          message.formatted(operation, settings.server(), limit, doubt(operation)), cause);
    }
    return toConnectionError(operation, settings, cause);
  }

  private static ConnectionError toConnectionError(
      Operation operation, Settings settings, Throwable cause) {
    String server = settings.server();
    String reason = reasonOf(cause, settings);
    Throwable shown = settings.secrets().hide(cause);
    if (isCausedBy(cause, SSLException.class)) {
      String message = "Could not connect to %s securely: %s.";
      return new ConnectionError(
          ConnectionError.Stage.INSECURE, message.formatted(server, reason), shown);
    }
    if (isCausedBy(cause, ConnectException.class)
        || isCausedBy(cause, HttpConnectTimeoutException.class)
        || isCausedBy(cause, UnresolvedAddressException.class)) {
      String message = "Could not connect to %s: %s. Is the server running, and is url right?";
      return new ConnectionError(
          ConnectionError.Stage.UNREACHED, message.formatted(server, reason), shown);
    }
    String message = "The connection to %s was lost during %s: %s.%s";
    return new ConnectionError(
        ConnectionError.Stage.LOST,
        message.formatted(server, operation, reason, doubt(operation)),
        shown);
  }

  private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .anyMatch(type::isInstance);
  }

  private static String reasonOf(Throwable failure, Settings settings) {
    if (failure.getCause() instanceof UnresolvedAddressException) return "the host is unknown";
    if (failure instanceof HttpConnectTimeoutException) {
      Optional<String> limit = settings.httpClient().connectTimeout().map(Limit::seconds);
      return limit.map(time -> "no connection within " + time).orElse("it took too long");
    }
    String message = failure.getMessage();
    if (message != null) return ForeignAnswer.excerpt(settings.secrets().hide(message));
    return failure instanceof ConnectException
        ? "the connection was refused"
        : failure.getClass().getSimpleName();
  }

  private static String doubt(Operation operation) {
    return operation.isIdempotent() ? "" : " The server may have carried it out.";
  }
}
