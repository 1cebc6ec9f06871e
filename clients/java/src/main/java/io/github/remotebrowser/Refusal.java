package io.github.remotebrowser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.github.remotebrowser.contract.ErrorName;
import io.github.remotebrowser.core.ApiException;
import jakarta.annotation.Nullable;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A response other than success, from which {@link ApiError} and its subclasses are created. */
public final class Refusal {
  private final int status;
  private final HttpHeaders headers;
  private final String text;
  private final @Nullable JsonNode body;
  private final Settings settings;

  private Refusal(int status, HttpHeaders headers, String text, Settings settings) {
    this.status = status;
    this.headers = headers;
    this.text = text;
    this.body = readBody(text, settings.secrets());
    this.settings = settings;
  }

  /** The error for a response: the subclass for its name, or else a plain {@link ApiError}. */
  static ApiError toError(ApiException answer, Settings settings) {
    String text = answer.getResponseBody() == null ? "" : answer.getResponseBody();
    Refusal refusal = new Refusal(answer.getCode(), answer.getResponseHeaders(), text, settings);
    return ErrorName.find(refusal.name())
        .map(name -> name.toError(refusal))
        .orElseGet(() -> new ApiError(refusal));
  }

  /** A list in the body; empty when it is missing or has the wrong type. */
  public <T> List<T> readList(String member, Class<T> type) {
    try {
      JsonNode list = body == null ? null : body.get(member);
      if (list == null || !list.isArray()) return List.of();
      List<T> items =
          Json.VALUES.treeToValue(
              list, Json.VALUES.getTypeFactory().constructCollectionType(List.class, type));
      return items.stream().allMatch(Objects::nonNull) ? List.copyOf(items) : List.of();
    } catch (JsonProcessingException unlikeTheContract) {
      return List.of();
    }
  }

  int status() {
    return status;
  }

  String name() {
    return textOf("name");
  }

  @Nullable
  String requestId() {
    String id = textOf("requestId");
    if (!id.isEmpty()) return id;
    return headers
        .firstValue("X-Request-Id")
        .filter(sent -> !sent.isEmpty())
        .map(settings.secrets()::hide)
        .orElse(null);
  }

  /** Reads whole seconds, and ignores a date. */
  @Nullable
  Duration retryAfter() {
    return headers
        .firstValue("Retry-After")
        .filter(seconds -> seconds.matches("\\d{1,9}"))
        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
        .orElse(null);
  }

  String describe() {
    String request = requestId() == null ? "" : " [request " + requestId() + "]";
    if (body == null) return ForeignAnswer.describe(status, headers, text, settings) + request;
    String message = textOf("message").isEmpty() ? "" : ": " + textOf("message");
    return name() + " (" + status + ")" + message + request;
  }

  /** Empty when the body has no such string. */
  private String textOf(String member) {
    JsonNode value = body == null ? null : body.get(member);
    return value != null && value.isTextual() ? value.textValue() : "";
  }

  /** The body of an error from the service; null for any other response. */
  private static @Nullable JsonNode readBody(String text, Secrets secrets) {
    try {
      JsonNode body = Json.WIRE.readTree(text);
      boolean isError = body.path("name").isTextual() && !body.path("name").textValue().isEmpty();
      return isError ? secrets.hide(body) : null;
    } catch (JsonProcessingException noJson) {
      return null;
    }
  }
}
