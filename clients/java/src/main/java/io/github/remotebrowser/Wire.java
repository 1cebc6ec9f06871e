package io.github.remotebrowser;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.remotebrowser.core.ApiClient;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;

/** Configures the generated core for one attempt. */
final class Wire extends ApiClient {
  private final Settings settings;
  private final Duration limit;

  /**
   * @param limit the timeout for the attempt, from connecting to the last byte
   */
  Wire(Settings settings, Duration limit) {
    super(null, Json.WIRE, settings.url().toString());
    this.settings = settings;
    this.limit = limit;
    setRequestInterceptor(this::complete);
  }

  @Override
  public HttpClient getHttpClient() {
    return new TimedHttpClient(settings.httpClient(), limit);
  }

  /** Shared, because a copy would have to build its type cache again. */
  @Override
  public ObjectMapper getObjectMapper() {
    return Json.WIRE;
  }

  private void complete(HttpRequest.Builder request) {
    request.setHeader("User-Agent", "remote-browser-java/" + Version.TEXT);
    settings.headers().forEach(request::setHeader);
    request.setHeader("Authorization", "Bearer " + settings.token());
    // Without this, the JDK offers an upgrade to HTTP/2, but the server only supports upgrades to
    // WebSocket.
    request.version(HttpClient.Version.HTTP_1_1);
  }
}
