package io.github.remotebrowser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.remotebrowser.contract.OpenOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallsTest {
  private static final String LISTED =
      "HTTP/1.1 200 OK\r\n"
          + "Content-Type: application/json\r\n"
          + "Content-Length: 15\r\n\r\n"
          + "{\"sessions\":[]}";
  private static final String HALF = LISTED.substring(0, LISTED.length() - 5);

  @Test
  void theErrorForInvalidHttpHidesSecrets() throws Exception {
    String echo = "Bearer rbs_secret /devtools/browser/abcdef\r\n\r\n";
    try (RawServer server =
        new RawServer((number, connection) -> RawServer.write(connection, echo))) {
      ConnectionError error =
          assertThrows(ConnectionError.class, () -> server.client().retries(0).build().open());
      StringWriter printed = new StringWriter();
      error.printStackTrace(new PrintWriter(printed, true));
      assertTrue(error.getMessage().contains("Bearer … /devtools/browser/…"), error.getMessage());
      assertFalse(printed.toString().contains("rbs_secret"), printed.toString());
      assertFalse(printed.toString().contains("abcdef"), printed.toString());
    }
  }

  @Test
  void anUnknownHostIsAConnectionError() {
    RemoteBrowserClient client =
        new ClientBuilder(name -> null).url("http://nowhere.invalid").token("t").retries(0).build();
    ConnectionError error = assertThrows(ConnectionError.class, client::list);
    assertTrue(error.getMessage().contains("nowhere.invalid:80"), error.getMessage());
    assertEquals(ConnectionError.Stage.UNREACHED, error.stage());
  }

  @Test
  void theTimeoutOfAnAttemptIncludesTheBody() throws Exception {
    try (RawServer server =
        new RawServer((number, connection) -> RawServer.write(connection, HALF))) {
      RemoteBrowserClient client =
          server.client().timeout(Duration.ofMillis(200)).retries(0).build();
      TimeoutError error = assertThrows(TimeoutError.class, client::list);
      assertTrue(error.getMessage().contains("0.2 s (timeout)"), error.getMessage());
      server.left.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void waitForPlaceExtendsTheTimeoutOfAnAttempt() throws Exception {
    try (RawServer server = new RawServer((number, connection) -> {})) {
      ClientBuilder builder = server.client().timeout(Duration.ofMillis(100)).retries(0);
      OpenOptions options = new OpenOptions().waitForPlace(0.4);
      long startedAt = System.nanoTime();
      TimeoutError error = assertThrows(TimeoutError.class, () -> builder.build().open(options));
      assertTrue(System.nanoTime() - startedAt >= 500_000_000);
      assertTrue(
          error.getMessage().contains("0.5 s (timeout and waitForPlace)"), error.getMessage());
      RemoteBrowserClient limited = builder.totalTimeout(Duration.ofMillis(200)).build();
      for (double seconds : new double[] {0.4, Double.MAX_VALUE, Double.NaN, -1}) {
        assertThrows(
            RemoteBrowserError.class, () -> limited.open(new OpenOptions().waitForPlace(seconds)));
      }
      error = assertThrows(TimeoutError.class, () -> limited.open(options));
      assertTrue(error.getMessage().contains("0.2 s (totalTimeout)"), error.getMessage());
    }
  }

  @Test
  void onlyTheTotalTimeoutAppliesToAQuery() throws Exception {
    try (RawServer server = new RawServer((number, connection) -> {})) {
      RemoteBrowserClient client =
          server
              .client()
              .timeout(Duration.ofMillis(1))
              .totalTimeout(Duration.ofMillis(300))
              .build();
      TimeoutError error = assertThrows(TimeoutError.class, () -> client.query("h", "p"));
      assertTrue(error.getMessage().contains("0.3 s (totalTimeout)"), error.getMessage());
      assertEquals(1, server.requests());
    }
  }

  @Test
  void anInterruptionEndsTheCallAndClosesItsConnection() throws Exception {
    for (RawServer.Behaviour behaviour :
        new RawServer.Behaviour[] {(n, c) -> {}, (n, c) -> RawServer.write(c, HALF)}) {
      try (RawServer server = new RawServer(behaviour)) {
        RemoteBrowserClient client = server.client().build();
        CompletableFuture<Boolean> wasInterrupted = new CompletableFuture<>();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller =
            new Thread(
                () -> {
                  thrown.complete(assertThrows(RuntimeException.class, client::open));
                  wasInterrupted.complete(Thread.currentThread().isInterrupted());
                });
        caller.start();
        server.reached.get(60, TimeUnit.SECONDS);
        caller.interrupt();
        assertInstanceOf(InterruptedError.class, thrown.get(60, TimeUnit.SECONDS));
        assertTrue(wasInterrupted.get(60, TimeUnit.SECONDS));
        server.left.get(60, TimeUnit.SECONDS);
        assertEquals(1, server.requests());
      }
    }
  }

  @Test
  void anInterruptionEndsTheWaitBeforeARetry() throws Exception {
    try (TestService service = new TestService()) {
      service.refuses(503, "BrowserUnavailable", Map.of("Retry-After", "60"));
      RemoteBrowserClient client = service.client().build();
      CompletableFuture<Boolean> wasInterrupted = new CompletableFuture<>();
      Thread caller =
          new Thread(
              () -> {
                assertThrows(InterruptedError.class, client::open);
                wasInterrupted.complete(Thread.currentThread().isInterrupted());
              });
      caller.start();
      while (!isSleeping(caller)) assertTrue(caller.isAlive(), "The call did not wait.");
      caller.interrupt();
      assertTrue(wasInterrupted.get(60, TimeUnit.SECONDS));
    }
  }

  @Test
  void connectingHasATimeout() throws Exception {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        SocketChannel first = connect(full);
        SocketChannel second = connect(full);
        SocketChannel third = connect(full)) {
      ClientBuilder builder =
          new ClientBuilder(name -> null)
              .url("http://127.0.0.1:" + full.getLocalPort())
              .token("t")
              .retries(0);
      HttpClient hasty = HttpClient.newBuilder().connectTimeout(Duration.ofMillis(200)).build();
      ConnectionError error =
          assertThrows(ConnectionError.class, builder.httpClient(hasty).build()::open);
      assertEquals(ConnectionError.Stage.UNREACHED, error.stage());
      assertTrue(error.getMessage().contains("no connection within 0.2 s"), error.getMessage());
    }
  }

  @Test
  void anAttemptThatTimesOutWhileConnectingIsATimeoutError() throws Exception {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        SocketChannel first = connect(full);
        SocketChannel second = connect(full);
        SocketChannel third = connect(full)) {
      RemoteBrowserClient client =
          new ClientBuilder(name -> null)
              .url("http://127.0.0.1:" + full.getLocalPort())
              .token("t")
              .timeout(Duration.ofMillis(200))
              .totalTimeout(Duration.ofSeconds(2))
              .build();
      TimeoutError error = assertThrows(TimeoutError.class, client::open);
      assertTrue(error.getMessage().contains("within 0.2 s (timeout)"), error.getMessage());
      assertEquals(Optional.empty(), RetryRules.pause(Operation.QUERY, error, 0));
    }
  }

  @Test
  void theSizeOfAResponseIsLimited() throws Exception {
    for (String status : List.of("200 OK", "500 Oops")) {
      try (RawServer server = new RawServer((number, connection) -> pourOut(status, connection))) {
        RemoteBrowserError error =
            assertThrows(RemoteBrowserError.class, () -> server.client().build().list(), status);
        if (status.startsWith("2")) assertInstanceOf(InvalidAnswerError.class, error);
        else assertEquals(500, assertInstanceOf(ApiError.class, error).status());
        server.left.get(60, TimeUnit.SECONDS);
        assertEquals(1, server.requests());
      }
    }
  }

  private static SocketChannel connect(ServerSocket server) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.connect(server.getLocalSocketAddress());
    return channel;
  }

  private static boolean isSleeping(Thread thread) {
    StackTraceElement[] trace = thread.getStackTrace();
    return trace.length > 0 && trace[0].getMethodName().equals("sleep");
  }

  private static void pourOut(String status, Socket connection) throws IOException {
    RawServer.write(connection, "HTTP/1.1 " + status + "\r\nTransfer-Encoding: chunked\r\n\r\n");
    String chunk = "100000\r\n" + " ".repeat(0x100000) + "\r\n";
    while (true) RawServer.write(connection, chunk);
  }
}
