package io.github.remotebrowser;

import java.net.URI;
import java.net.http.HttpResponse;

/** Describes responses that aren't from the service, such as a gateway's page. */
final class ForeignAnswer {
  private static final int EXCERPT_CHARS = 200;

  private ForeignAnswer() {}

  static String describe(HttpResponse<byte[]> answer, Settings settings) {
    int status = answer.statusCode();
    String location = answer.headers().firstValue("Location").orElse("");
    if (status / 100 == 3 && !location.isEmpty()) {
      String message =
          "%s redirects to %s (%s). Redirects are not followed: set url to the service's own URL.";
      String origin = excerpt(settings.secrets().hide(originOf(location, settings.url())));
      return message.formatted(settings.server(), origin, status);
    }
    String shown = excerpt(settings.secrets().hide(Wire.textOf(answer)));
    return "The response isn't from the service and may be from a gateway: "
        + status
        + " "
        + (shown.isEmpty() ? "without a body" : shown);
  }

  /** Returns the beginning of a text, on one line. */
  static String excerpt(String text) {
    String line = text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    if (line.codePointCount(0, line.length()) <= EXCERPT_CHARS) return line;
    return line.substring(0, line.offsetByCodePoints(0, EXCERPT_CHARS)) + "…";
  }

  private static String originOf(String location, URI base) {
    try {
      URI place = base.resolve(location);
      if (place.getHost() == null) return "another location";
      String port = place.getPort() == -1 ? "" : ":" + place.getPort();
      return place.getScheme() + "://" + place.getHost() + port;
    } catch (IllegalArgumentException noUrl) {
      return "another location";
    }
  }
}
