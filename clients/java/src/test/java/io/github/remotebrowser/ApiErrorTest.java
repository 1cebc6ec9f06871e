package io.github.remotebrowser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.remotebrowser.contract.BadRequestError;
import io.github.remotebrowser.contract.BadRequestProblem;
import io.github.remotebrowser.contract.BrowserUnavailableError;
import io.github.remotebrowser.contract.ErrorName;
import io.github.remotebrowser.contract.NoUnitsError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiErrorTest {
  private TestService service;

  @BeforeEach
  void start() throws Exception {
    service = new TestService();
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private ApiError failure() {
    return assertThrows(ApiError.class, () -> service.client().retries(0).build().open());
  }

  @ParameterizedTest
  @EnumSource
  void eachNameOfTheContractHasItsClass(ErrorName name) {
    service.refuses(418, name.toString(), Map.of());
    ApiError error = failure();
    assertEquals(
        name.toString().replaceFirst("Error$", "") + "Error", error.getClass().getSimpleName());
    assertEquals(name.toString(), error.name());
    assertEquals(name + " (418): m [request r1]", error.getMessage());
    assertEquals(Optional.of("r1"), error.requestId());
  }

  @Test
  void anUnknownNameStaysReadable() {
    service.refuses(409, "SomethingNew", Map.of());
    ApiError error = failure();
    assertSame(ApiError.class, error.getClass());
    assertEquals("SomethingNew", error.name());
  }

  @Test
  void aBadRequestListsItsProblems() {
    service.answers(
        400,
        "{\"status\":400,\"name\":\"BadRequest\",\"message\":\"m\",\"requestId\":\"r\",\"errors\":[{\"path\":\"/Args/0\",\"message\":\"no\",\"new\":1}]}");
    BadRequestError error = assertInstanceOf(BadRequestError.class, failure());
    assertEquals(List.of(new BadRequestProblem("/Args/0", "no")), error.errors());
  }

  @Test
  void aBadRequestWithoutItsListIsStillABadRequest() {
    service.refuses(400, "BadRequest", Map.of());
    assertEquals(List.of(), assertInstanceOf(BadRequestError.class, failure()).errors());
  }

  @Test
  void retryAfterIsReadFromTheHeader() {
    service.refuses(503, "BrowserUnavailable", Map.of("Retry-After", "7"));
    assertEquals(
        Optional.of(Duration.ofSeconds(7)),
        assertInstanceOf(BrowserUnavailableError.class, failure()).retryAfter());
  }

  @Test
  void onlyTheBeginningOfAGatewaysPageIsShown() {
    service.answers(502, "<html>\n\n  <h1>Bad  gateway</h1>" + "x".repeat(5000));
    ApiError error = failure();
    assertSame(ApiError.class, error.getClass());
    assertEquals("", error.name());
    assertEquals(502, error.status());
    assertEquals(Optional.of("h1"), error.requestId());
    assertTrue(
        error.getMessage().contains("502 <html> <h1>Bad gateway</h1>xxx"), error.getMessage());
    assertTrue(error.getMessage().length() < 300, error.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\":\"\",\"message\":\"m\",\"requestId\":\"r\"}",
        "{\"name\":7,\"message\":\"m\",\"requestId\":\"r\"}",
        "{\"message\":\"m\",\"requestId\":\"r\"}",
        "[]",
        "null",
        ""
      })
  void jsonWithoutANameIsFromAGateway(String body) {
    service.answers(503, body);
    ApiError error = failure();
    assertEquals("", error.name());
    assertTrue(
        error.getMessage().startsWith("The response isn't from the service"), error.getMessage());
    assertEquals(Optional.of("h1"), error.requestId());
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "7", "{}", "[null]", "[{}]", "[{\"path\":1,\"message\":\"m\"}]"})
  void aBadRequestWithAnInvalidListIsStillABadRequest(String errors) {
    service.answers(400, "{\"name\":\"BadRequest\",\"errors\":%s}".formatted(errors));
    assertEquals(List.of(), assertInstanceOf(BadRequestError.class, failure()).errors());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\":\"NoUnits\"}",
        "{\"name\":\"NoUnits\",\"message\":1,\"requestId\":\"\",\"status\":200}"
      })
  void anErrorWithOnlyANameHasItsClass(String body) {
    service.answers(403, body);
    ApiError error = assertInstanceOf(NoUnitsError.class, failure());
    assertEquals("NoUnits (403) [request h1]", error.getMessage());
    assertEquals(Optional.of("h1"), error.requestId());
    assertEquals(403, error.status());
  }

  @Test
  void theProblemsOfABadRequestHideSecrets() {
    service.answers(
        400,
        "{\"name\":\"BadRequest\",\"errors\":[{\"path\":\"/a\",\"message\":\"rbs_secret /desktop/abc#x\"}]}");
    BadRequestError error = assertInstanceOf(BadRequestError.class, failure());
    assertEquals(List.of(new BadRequestProblem("/a", "… /desktop/…#x")), error.errors());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sat, 21 Nov 2026 15:00:00 GMT", "1.5", "-1", "+1", "soon"})
  void aRetryAfterThatIsNotInWholeSecondsIsIgnored(String wait) {
    service.refuses(503, "BrowserUnavailable", Map.of("Retry-After", wait));
    assertEquals(Optional.empty(), failure().retryAfter());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer %s \u001b {\"address\":\"%s\"}",
        "{\"name\":\"Unknown\",\"message\":\"%s %s\",\"requestId\":\"r\"}",
        "Bearer %s {\\\"address\\\":\\\"%s\\\"}"
      })
  void anAnswerThatRepeatsTheRequestShowsNoSecrets(String body) {
    service.answers(500, body.formatted("rbs_secret", "ws://h/devtools/browser/abcdef"));
    String message = failure().getMessage();
    assertTrue(message.contains("ws://h/devtools/browser/…"), message);
    assertFalse(message.contains("rbs_secret"), message);
    assertFalse(message.contains("abcdef"), message);
    assertFalse(message.contains("\u001b"), message);
  }
}
