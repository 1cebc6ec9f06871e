package io.github.remotebrowser.scenarios;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.remotebrowser.ClientBuilder;
import io.github.remotebrowser.Clients;
import io.github.remotebrowser.RemoteBrowserClient;
import io.github.remotebrowser.contract.OpenOptions;
import io.github.remotebrowser.contract.Session;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A scenario's view of a server. */
final class Scene {
  /** A request that arrived. The status is null when no response was sent. */
  record Logged(String operation, Integer status) {}

  private record Log(List<Logged> requests) {}

  final Stage.Server server;

  /** A label that no other scenario uses. */
  final String nonce = UUID.randomUUID().toString().replace("-", "");

  Scene(Stage.Server server) {
    this.server = server;
  }

  boolean isMock() {
    return server.name().equals("mock");
  }

  ClientBuilder builder() {
    return Clients.builder(Map.of()).url(server.url()).token(server.token());
  }

  RemoteBrowserClient client() {
    return builder().build();
  }

  /** A client whose requests meet a fault. */
  ClientBuilder with(String fault) {
    return builder().url(urlOf(fault));
  }

  /** Options for a headless browser with this scenario's label. */
  OpenOptions options() {
    return new OpenOptions().headless(true).keepOpen(60).label(nonce);
  }

  boolean isListed(String address) {
    return client().list().stream().anyMatch(session -> session.address().equals(address));
  }

  /** The addresses of the open browsers that this scenario has opened. */
  List<String> addresses() {
    return client().list().stream()
        .filter(session -> nonce.equals(session.label()))
        .map(Session::address)
        .toList();
  }

  /** Closes the browsers that this scenario has opened. */
  void closeAll() {
    client().list().stream()
        .filter(session -> nonce.equals(session.label()))
        .forEach(session -> client().browser(session.address()).close());
  }

  /** The requests that arrived under a fault's base URL, in order. */
  List<Logged> log(String fault) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(urlOf(fault) + "/log")).build();
    String text =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    return new ObjectMapper().readValue(text, Log.class).requests();
  }

  List<String> operations(String fault) throws Exception {
    return log(fault).stream().map(Logged::operation).toList();
  }

  private String urlOf(String fault) {
    return server.url() + "/~" + fault + "~" + nonce;
  }
}
