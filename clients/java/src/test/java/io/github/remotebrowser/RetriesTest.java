package io.github.remotebrowser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.remotebrowser.contract.BrowserUnavailableError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetriesTest {
  private static final String OPENED =
      "{\"status\":200,\"address\":\"ws://h/devtools/browser/abc\"}";
  private static final String LISTED =
      "HTTP/1.1 200 OK\r\n"
          + "Content-Type: application/json\r\n"
          + "Content-Length: 15\r\n\r\n"
          + "{\"sessions\":[]}";

  private static final String OLD =
      "HTTP/1.1 404 Not Found\r\n"
          + "Content-Type: application/json\r\n"
          + "Content-Length: 19\r\n\r\n"
          + "{\"name\":\"NotFound\"}";

  @Test
  void anErrorWithRetryAfterIsRetriedAfterThatTime() throws Exception {
    try (TestService service = new TestService()) {
      service.refuses(503, "BrowserUnavailable", Map.of("Retry-After", "0")).answers(200, OPENED);
      service.client().build().open();
      assertEquals(2, service.asked.size());
    }
  }

  @Test
  void aCallFailsImmediatelyIfTheWaitExceedsTheTotalTimeout() throws Exception {
    try (TestService service = new TestService()) {
      service.refuses(503, "BrowserUnavailable", Map.of("Retry-After", "3600"));
      RemoteBrowserClient client = service.client().totalTimeout(Duration.ofSeconds(2)).build();
      assertThrows(BrowserUnavailableError.class, client::open);
      assertEquals(1, service.asked.size());
    }
  }

  @Test
  void afterAGatewaysErrorOnlyIdempotentCallsAreRetried() throws Exception {
    try (TestService service = new TestService()) {
      service.answers(503, "<html>").answers(200, "{\"status\":200}");
      service.client().build().browser("ws://a").close();
      assertEquals(2, service.asked.size());
    }
    try (TestService service = new TestService()) {
      service.answers(503, "<html>").answers(200, "{\"status\":200,\"response\":\"a\"}");
      assertThrows(ApiError.class, () -> service.client().build().query("<p>", "?"));
      assertEquals(1, service.asked.size());
    }
  }

  @Test
  void aGatewaysRetryAfterIsIgnored() throws Exception {
    try (TestService service = new TestService()) {
      service
          .answers(503, "<html>", Map.of("Retry-After", "3600"))
          .answers(200, "{\"sessions\":[]}");
      service.client().build().list();
      assertEquals(2, service.asked.size());
    }
  }

  @Test
  void theJdkDoesNotRetryAnOpen() throws Exception {
    // The second request reuses the connection of the first, which closes without a response.
    RawServer.Behaviour once =
        (number, connection) -> {
          if (number == 1) RawServer.write(connection, LISTED);
          else if (number == 2) connection.close();
          else RawServer.write(connection, OLD);
        };
    try (RawServer server = new RawServer(once)) {
      RemoteBrowserClient client = server.client().build();
      client.list();
      assertThrows(ConnectionError.class, client::open);
      // The third one asks for the version.
      assertEquals(3, server.requests());
    }
  }

  @Test
  void aListIsRetriedAfterALostConnection() throws Exception {
    // The JDK itself retries a GET once, so the client only retries after two lost connections.
    RawServer.Behaviour third =
        (number, connection) -> {
          if (number <= 2) connection.close();
          else RawServer.write(connection, LISTED);
        };
    try (RawServer server = new RawServer(third)) {
      assertEquals(0, server.client().build().list().size());
    }
  }

  @Test
  void withoutRetriesAnIdempotentCallIsSentOnce() throws Exception {
    try (RawServer server = new RawServer((number, connection) -> connection.close())) {
      RemoteBrowser browser = server.client().retries(0).build().browser("ws://a");
      assertThrows(ConnectionError.class, browser::stopDesktop);
      assertEquals(1, server.requests());
    }
  }

  @Test
  void anOpenThatWasNotSentIsRetried() throws Exception {
    int port = freePort();
    RemoteBrowserClient client =
        new ClientBuilder(name -> null)
            .url("http://127.0.0.1:" + port)
            .token("t")
            .retries(1)
            .build();
    long before = System.nanoTime();
    ConnectionError error = assertThrows(ConnectionError.class, client::open);
    assertTrue(
        System.nanoTime() - before >= TimeUnit.MILLISECONDS.toNanos(125),
        "There must be a wait before the retry.");
    assertTrue(error.getMessage().contains("127.0.0.1:" + port), error.getMessage());
  }

  @Test
  void aTlsFailureIsNotRetried() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    byte[] refusedHandshake = {21, 3, 3, 0, 2, 2, 40};
    try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      CompletableFuture.runAsync(
          () -> {
            while (!listener.isClosed()) {
              try (Socket connection = listener.accept()) {
                connections.incrementAndGet();
                connection.getInputStream().read(new byte[8192]);
                connection.getOutputStream().write(refusedHandshake);
              } catch (IOException gone) {
                // Accept a second connection, if there is one.
              }
            }
          });
      ConnectionError error =
          assertThrows(
              ConnectionError.class,
              () ->
                  new ClientBuilder(name -> null)
                      .url("https://127.0.0.1:" + listener.getLocalPort())
                      .token("rbs_secret")
                      .retries(1)
                      .build()
                      .open());
      assertTrue(error.getMessage().startsWith("Could not connect to"), error.getMessage());
      assertEquals(ConnectionError.Stage.INSECURE, error.stage());
      assertEquals(1, connections.get());
    }
  }

  private static SocketChannel connect(ServerSocket server) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.connect(server.getLocalSocketAddress());
    return channel;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
