package io.github.remotebrowser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.remotebrowser.contract.IdempotencyKeyReusedError;
import io.github.remotebrowser.contract.OpenOptions;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {
  private static final String OPEN = "/api/v1/Browser/Open";
  private static final String GET_ACCOUNT = "/api/v1/Account/Get";
  private static final String OPENED =
      "{\"status\":200,\"address\":\"ws://h/devtools/browser/abc\"}";
  private static final String OPENED_WITH_ID =
      "{\"status\":200,\"address\":\"ws://h/devtools/browser/abc\",\"id\":\"br_01kxm2a7c9rt\"}";
  private static final String ACCOUNT =
      "{\"plan\":null,\"parallel\":3,\"open\":0,\"period\":\"2026-03\",\"unitsUsed\":0,"
          + "\"unitsLeft\":null,\"additionalUnits\":false,\"maxLifetime\":null}";

  @Test
  void eachOpenRequestHasItsOwnKey() throws Exception {
    try (TestService service = new TestService()) {
      service.answers(200, OPENED).answers(200, OPENED).answers(200, ACCOUNT);
      RemoteBrowserClient client = service.client().build();
      client.open();
      client.open();
      client.account();
      List<String> keys = keys(service);
      assertEquals(keys.get(0), UUID.fromString(keys.get(0)).toString());
      assertNotEquals(keys.get(0), keys.get(1));
      assertEquals("", keys.get(2));
    }
  }

  @Test
  void afterAGatewaysErrorAnOpenRequestIsSentAgainWithTheSameKey() throws Exception {
    try (TestService service = new TestService()) {
      service.answers(504, "<html>").answers(200, ACCOUNT).answers(200, OPENED_WITH_ID);
      service.client().build().open();
      assertEquals(List.of(OPEN, GET_ACCOUNT, OPEN), paths(service));
      List<String> keys = keys(service);
      assertEquals(keys.get(0), keys.get(2));
      assertEquals("", keys.get(1));
    }
  }

  @Test
  void afterALostConnectionAnOpenRequestIsSentAgain() throws Exception {
    RawServer.Behaviour later =
        (number, connection) -> {
          if (number == 1) connection.close();
          else write(connection, number == 2 ? ACCOUNT : OPENED_WITH_ID);
        };
    try (RawServer server = new RawServer(later)) {
      server.client().build().open();
      assertEquals(3, server.requests());
    }
  }

  @Test
  void afterAnAttemptThatTimedOutAnOpenRequestIsSentAgain() throws Exception {
    RawServer.Behaviour later =
        (number, connection) -> {
          if (number > 1) write(connection, number == 2 ? ACCOUNT : OPENED_WITH_ID);
        };
    try (RawServer server = new RawServer(later)) {
      server.client().timeout(Duration.ofMillis(500)).build().open();
      assertEquals(3, server.requests());
    }
  }

  @Test
  void withoutProofOfVersion11AnOpenIsNotRetried() throws Exception {
    Map<Integer, String> proofs =
        Map.of(404, "NotFound", 401, "AuthorizationError", 405, "MethodNotAllowed");
    for (Map.Entry<Integer, String> proof : proofs.entrySet()) {
      try (TestService service = new TestService()) {
        service.answers(504, "<html>").refuses(proof.getKey(), proof.getValue(), Map.of());
        expectGatewaysError(service);
      }
    }
    for (String body : List.of("<html>", "{}")) {
      try (TestService service = new TestService()) {
        expectGatewaysError(service.answers(504, "<html>").answers(200, body));
      }
    }
  }

  private static void expectGatewaysError(TestService service) {
    ApiError error = assertThrows(ApiError.class, service.client().build()::open);
    assertEquals(504, error.status());
    assertEquals(List.of(OPEN, GET_ACCOUNT), paths(service));
  }

  @Test
  void theClientRemembersThatAServiceHasVersion11() throws Exception {
    try (TestService service = new TestService()) {
      service.answers(504, "<html>").answers(200, ACCOUNT).answers(200, OPENED);
      service.answers(504, "<html>").answers(200, OPENED);
      RemoteBrowserClient client = service.client().build();
      client.open();
      client.open();
      assertEquals(List.of(OPEN, GET_ACCOUNT, OPEN, OPEN, OPEN), paths(service));
    }
  }

  @Test
  void aBrowsersIdProvesVersion11WithoutAnotherRequest() throws Exception {
    try (TestService service = new TestService()) {
      service.answers(200, OPENED_WITH_ID).answers(504, "<html>").answers(200, OPENED_WITH_ID);
      RemoteBrowserClient client = service.client().build();
      client.open();
      client.open();
      assertEquals(List.of(OPEN, OPEN, OPEN), paths(service));
    }
  }

  @Test
  void aKeyInUseIsRetriedAndAReusedOneIsNot() throws Exception {
    try (TestService service = new TestService()) {
      service
          .refuses(409, "IdempotencyKeyInUse", Map.of("Retry-After", "0"))
          .refuses(422, "IdempotencyKeyReused", Map.of("Retry-After", "0"));
      RemoteBrowserClient client = service.client().build();
      assertThrows(
          IdempotencyKeyReusedError.class, () -> client.open(new OpenOptions(), "mine"));
      assertEquals(List.of("mine", "mine"), keys(service));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a b", "ключ"})
  void aKeyThatAHeaderCannotHaveIsRefusedBeforeAnyRequest(String key) throws Exception {
    try (TestService service = new TestService()) {
      RemoteBrowserClient client = service.client().build();
      assertThrows(
          IllegalArgumentException.class, () -> client.open(new OpenOptions(), key));
      assertEquals(List.of(), paths(service));
    }
  }

  private static List<String> paths(TestService service) {
    return service.asked.stream().map(TestService.Asked::path).toList();
  }

  /** Empty for a request without a key. */
  private static List<String> keys(TestService service) {
    return service.asked.stream()
        .map(asked -> asked.headers().getOrDefault("Idempotency-key", List.of("")).get(0))
        .toList();
  }

  private static void write(Socket connection, String body) throws IOException {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    RawServer.write(
        connection,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + length
            + "\r\n\r\n"
            + body);
  }
}
