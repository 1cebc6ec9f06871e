package io.github.remotebrowser;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * An HTTP client whose request timeout includes the response's body, and which stops when the
 * thread is interrupted.
 */
final class TimedHttpClient extends HttpClient {
  private final HttpClient client;
  private final Duration limit;

  TimedHttpClient(HttpClient client, Duration limit) {
    this.client = client;
    this.limit = limit;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    // The JDK's own timeout doesn't include the body, and treats a slow server as unreachable.
    CompletableFuture<HttpResponse<T>> sent = client.sendAsync(request, WholeBody.before(handler));
    try {
      return sent.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      sent.cancel(true);
      throw new HttpTimeoutException("The response was not complete in time.");
    } catch (InterruptedException interruption) {
      sent.cancel(true);
      throw interruption;
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof IOException cause
          ? cause
          : new IOException(failure.getCause());
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return client.sendAsync(request, handler);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushed) {
    return client.sendAsync(request, handler, pushed);
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return client.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return client.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return client.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return client.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return client.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return client.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return client.authenticator();
  }

  @Override
  public Version version() {
    return client.version();
  }

  @Override
  public Optional<Executor> executor() {
    return client.executor();
  }
}
