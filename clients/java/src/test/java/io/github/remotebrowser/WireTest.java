package io.github.remotebrowser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.remotebrowser.contract.OpenOptions;
import io.github.remotebrowser.contract.Proxy;
import io.github.remotebrowser.contract.Screen;
import io.github.remotebrowser.contract.SupportedBrowser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WireTest {
  private static final String OPENED =
      "{\"status\":200,\"address\":\"ws://h/devtools/browser/abc\"}";

  private TestService service;

  @BeforeEach
  void start() throws Exception {
    service = new TestService();
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void openWithoutOptionsSendsAnEmptyObject() {
    service.answers(200, OPENED);
    assertEquals("ws://h/devtools/browser/abc", service.client().build().open().address());
    assertEquals("{}", service.asked.get(0).body());
  }

  @Test
  void optionsAreSentAsTheContractSpellsThem() {
    service.answers(200, OPENED);
    OpenOptions options =
        new OpenOptions()
            .headless(true)
            .keepOpen(2.5)
            .browser(SupportedBrowser.ChromeHeadlessShell)
            .args(List.of("--lang=de"))
            .tags(List.of("nightly"))
            .lifetime(3600)
            .waitForPlace(30)
            .screen(new Screen().width(412).height(915).scale(2.625))
            .language("de-DE")
            .timeZone("Europe/Berlin")
            .proxy(new Proxy().host("h").port("1").username("me").password("s3cret"));
    assertFalse(options.toString().contains("s3cret"), options.toString());
    service.client().build().open(options);
    assertEquals(
        "{\"Args\":[\"--lang=de\"],\"Headless\":true,\"Browser\":3,\"KeepOpen\":2.5,\"Proxy\":{\"Host\":\"h\",\"Port\":\"1\",\"Username\":\"me\",\"Password\":\"s3cret\"},\"Tags\":[\"nightly\"],\"Lifetime\":3600.0,\"WaitForPlace\":30.0,\"Screen\":{\"Width\":412,\"Height\":915,\"Scale\":2.625},\"Language\":\"de-DE\",\"TimeZone\":\"Europe/Berlin\"}",
        service.asked.get(0).body());
  }

  @Test
  void optionsThatAreNotSetAreNotSent() {
    service.answers(200, OPENED);
    OpenOptions options = new OpenOptions().keepOpen(120).label(null).proxy(new Proxy().host("h"));
    assertEquals(new OpenOptions().keepOpen(120.0).proxy(new Proxy().host("h")), options);
    service.client().build().open(options);
    assertEquals(
        "{\"KeepOpen\":120.0,\"Proxy\":{\"Host\":\"h\"}}", service.asked.get(0).body());
  }

  @Test
  void aRequestCarriesTokenVersionAndHeadersAndOffersNoUpgrade() {
    service.answers(200, "{\"sessions\":[]}");
    service.client().header("X-Team", "a").header("x-team", "b").build().list();
    Map<String, List<String>> headers = service.asked.get(0).headers();
    assertEquals(List.of("Bearer rbs_secret"), headers.get("Authorization"));
    assertEquals(List.of("remote-browser-java/" + Version.TEXT), headers.get("User-agent"));
    assertEquals(List.of("b"), headers.get("X-team"));
    assertFalse(headers.containsKey("Upgrade"), headers.toString());
  }

  @Test
  void theUserAgentMayBeReplaced() {
    service.answers(200, "{\"sessions\":[]}");
    service.client().header("user-agent", "mine/1").build().list();
    assertEquals(List.of("mine/1"), service.asked.get(0).headers().get("User-agent"));
  }

  @Test
  void theUserAgentHasThePackagesVersion() throws Exception {
    assertTrue(
        Files.readString(Path.of("pom.xml"))
            .contains("<artifactId>remote-browser</artifactId>\n  <version>" + Version.TEXT + "<"));
  }

  @Test
  void theUrlMayHaveAPrefixAndATrailingSlash() {
    service.answers(200, "{\"sessions\":[]}");
    service.client().url(service.url() + "/eu/").build().list();
    assertEquals("/eu/api/v1/Browser/Get", service.asked.get(0).path());
  }

  @Test
  void textsAreReadWithAnyDefaultCharset() {
    String label = "Prüfung 🦊 \\ \"";
    service.answers(
        200,
        "{\"sessions\":[{\"startedOn\":\"2026-03-14T09:26:53.589Z\",\"label\":\"Prüfung 🦊 \\\\"
            + " \\\"\",\"address\":\"ws://a\",\"vncpass\":null}]}");
    service.answers(200, "{\"status\":200,\"response\":\"Weiß\"}");
    assertEquals(label, service.client().build().list().get(0).label());
    assertEquals("Weiß", service.client().build().query("<p>ü", "Größe?"));
    assertEquals("{\"html\":\"<p>ü\",\"prompt\":\"Größe?\"}", service.asked.get(1).body());
  }

  @Test
  void redirectsAreNotFollowed() {
    service.answers(307, "", Map.of("Location", "https://b:81/devtools/browser/abc?x=rbs_secret"));
    ApiError error = assertThrows(ApiError.class, () -> service.client().build().open());
    assertEquals(307, error.status());
    assertTrue(error.getMessage().contains(" to https://b:81 (307)"), error.getMessage());
    assertTrue(error.getMessage().contains("not followed"), error.getMessage());
    assertEquals(1, service.asked.size());
  }

  @Test
  void nullIsAValueAndAMissingValueIsInvalid() {
    service.answers(200, "{\"status\":200,\"value\":null}");
    service.answers(200, "{\"status\":200,\"value\":0.10}");
    service.answers(200, "{\"status\":200}");
    RemoteBrowserClient client = service.client().build();
    assertTrue(client.queryJson("h", "p").isNull());
    assertEquals(new BigDecimal("0.10"), client.queryJson("h", "p").decimalValue());
    assertThrows(InvalidAnswerError.class, () -> client.queryJson("h", "p"));
    InvalidAnswerError error =
        assertThrows(InvalidAnswerError.class, () -> client.query("h", "p", String.class));
    assertEquals("The response to query has no value.", error.getMessage());
  }

  @Test
  void aSuccessThatDoesNotMatchTheContractIsInvalid() {
    for (String body :
        List.of(
            "",
            "<html>",
            "[]",
            "{}",
            "{\"status\":200,\"address\":7}",
            "{\"status\":200,\"address\":null}")) {
      try (TestService other = new TestService()) {
        other.answers(200, body);
        assertThrows(InvalidAnswerError.class, () -> other.client().build().open(), body);
      } catch (java.io.IOException failed) {
        throw new java.io.UncheckedIOException(failed);
      }
    }
  }

  @Test
  void newMembersAreIgnored() {
    service.answers(200, "{\"status\":200,\"address\":\"ws://a\",\"more\":{\"x\":1}}");
    assertEquals("ws://a", service.client().build().open().address());
  }

  @Test
  void aListWithNullIsInvalid() {
    service.answers(200, "{\"sessions\":[null]}");
    assertThrows(InvalidAnswerError.class, () -> service.client().build().list());
  }

  @Test
  void theErrorForAnInvalidSuccessIsShortAndHidesSecrets() {
    String address = "ws://h/devtools/browser/abcdef";
    service.answers(
        200,
        "{\"sessions\":[{\"startedOn\":\"%s\",\"address\":\"%s\"}]}".formatted(address, address));
    InvalidAnswerError error =
        assertThrows(InvalidAnswerError.class, () -> service.client().build().list());
    StringWriter printed = new StringWriter();
    error.printStackTrace(new PrintWriter(printed));
    assertFalse(printed.toString().contains("abcdef"), printed.toString());
    assertTrue(error.getMessage().contains("sessions[0].startedOn"), error.getMessage());
  }
}
