package io.github.remotebrowser;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.remotebrowser.core.ApiClient;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;

/** The generated core, set up for one attempt. */
final class Wire extends ApiClient {
  private final Settings settings;
  private final Duration limit;

  /**
   * @param limit what the attempt may take, from connecting to the last byte
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

  /** Shared: the copy that the core would make has to learn every type anew. */
  @Override
  public ObjectMapper getObjectMapper() {
    return Json.WIRE;
  }

  private void complete(HttpRequest.Builder request) {
    request.setHeader("User-Agent", "remote-browser-java/" + Version.TEXT);
    settings.headers().forEach(request::setHeader);
    request.setHeader("Authorization", "Bearer " + settings.token());
    // An offer of HTTP/2 is an upgrade to the server, which knows one to WebSocket only.
    request.version(HttpClient.Version.HTTP_1_1);
  }
}
