package io.github.remotebrowser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A service that sends scripted responses, one after the other, and records the requests. */
final class TestService implements AutoCloseable {
  record Asked(String method, String path, Map<String, List<String>> headers, String body) {}

  private record Answer(int status, Map<String, String> headers, String body) {}

  private final HttpServer server;
  private final Deque<Answer> answers = new ArrayDeque<>();
  final List<Asked> asked = new CopyOnWriteArrayList<>();

  TestService() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  TestService answers(int status, String body) {
    return answers(status, body, Map.of());
  }

  /** The last response repeats. */
  TestService answers(int status, String body, Map<String, String> headers) {
    answers.add(new Answer(status, headers, body));
    return this;
  }

  TestService refuses(int status, String name, Map<String, String> headers) {
    return answers(
        status,
        "{\"status\":%d,\"name\":\"%s\",\"message\":\"m\",\"requestId\":\"r1\"}"
            .formatted(status, name),
        headers);
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  ClientBuilder client() {
    return new ClientBuilder(name -> null).url(url()).token("rbs_secret");
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      asked.add(
          new Asked(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              exchange.getRequestHeaders(),
              body));
      Answer answer = answers.size() > 1 ? answers.remove() : answers.element();
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.getResponseHeaders().set("X-Request-Id", "h1");
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
