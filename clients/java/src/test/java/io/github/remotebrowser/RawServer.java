package io.github.remotebrowser;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts connections with one thread each, and lets a test respond to a request byte by byte. */
final class RawServer implements AutoCloseable {
  /** Responds to a request that has been read. */
  interface Behaviour {
    void act(int number, Socket connection) throws IOException;
  }

  private final ServerSocket listener;
  private final Behaviour behaviour;
  private final AtomicInteger requests = new AtomicInteger();

  /** Completes when a client disconnects while waiting for a response. */
  final CompletableFuture<Void> left = new CompletableFuture<>();

  /** Completes when the first request arrives. */
  final CompletableFuture<Void> reached = new CompletableFuture<>();

  RawServer(Behaviour behaviour) throws IOException {
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.behaviour = behaviour;
    start(this::accept);
  }

  int requests() {
    return requests.get();
  }

  ClientBuilder client() {
    return new ClientBuilder(name -> null)
        .url("http://127.0.0.1:" + listener.getLocalPort())
        .token("rbs_secret");
  }

  static void write(Socket connection, String text) throws IOException {
    connection.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket connection = listener.accept();
        start(() -> serve(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      while (readRequest(connection.getInputStream())) {
        int number = requests.incrementAndGet();
        reached.complete(null);
        behaviour.act(number, connection);
      }
      left.complete(null);
    } catch (IOException gone) {
      left.complete(null);
    }
  }

  private static boolean readRequest(InputStream stream) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = stream.read();
      if (next == -1) return false;
      head.append((char) next);
    }
    int at = head.toString().toLowerCase().indexOf("content-length:");
    if (at >= 0)
      stream.readNBytes(Integer.parseInt(head.substring(at + 15, head.indexOf("\r", at)).strip()));
    return true;
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
