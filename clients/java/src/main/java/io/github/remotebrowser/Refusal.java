package io.github.remotebrowser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.github.remotebrowser.contract.ErrorName;
import jakarta.annotation.Nullable;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A response other than success, which {@link ApiError} and its subclasses read. */
public final class Refusal {
  private final HttpResponse<byte[]> answer;
  private final @Nullable JsonNode body;
  private final Settings settings;

  private Refusal(HttpResponse<byte[]> answer, Settings settings) {
    this.answer = answer;
    this.body = readBody(Wire.textOf(answer), settings.secrets());
    this.settings = settings;
  }

  /** Returns an instance of the subclass for the error's name, or else a plain {@link ApiError}. */
  static ApiError toError(HttpResponse<byte[]> answer, Settings settings) {
    Refusal refusal = new Refusal(answer, settings);
    return ErrorName.find(refusal.name())
        .map(name -> name.toError(refusal))
        .orElseGet(() -> new ApiError(refusal));
  }

  /** Returns a list in the body; empty if it is missing or has the wrong type. */
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
    return answer.statusCode();
  }

  String name() {
    return textOf("name");
  }

  @Nullable
  String requestId() {
    String id = textOf("requestId");
    if (!id.isEmpty()) return id;
    return answer
        .headers()
        .firstValue("X-Request-Id")
        .filter(sent -> !sent.isEmpty())
        .map(settings.secrets()::hide)
        .orElse(null);
  }

  /** Reads whole seconds. The service never sends a date. */
  @Nullable
  Duration retryAfter() {
    return answer
        .headers()
        .firstValue("Retry-After")
        .filter(seconds -> seconds.matches("\\d{1,9}"))
        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
        .orElse(null);
  }

  String describe() {
    String request = requestId() == null ? "" : " [request " + requestId() + "]";
    if (body == null) return ForeignAnswer.describe(answer, settings) + request;
    String message = textOf("message").isEmpty() ? "" : ": " + textOf("message");
    return name() + " (" + status() + ")" + message + request;
  }

  /** Returns a string in the body; empty if it is missing. */
  private String textOf(String member) {
    JsonNode value = body == null ? null : body.get(member);
    return value != null && value.isTextual() ? value.textValue() : "";
  }

  /** Returns the body of an error from the service; null for any other response. */
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
