package io.github.remotebrowser;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.remotebrowser.contract.AccountInfo;
import io.github.remotebrowser.contract.BrowserRecord;
import io.github.remotebrowser.contract.HistoryOptions;
import io.github.remotebrowser.contract.NotFoundError;
import io.github.remotebrowser.contract.Screenshot;
import io.github.remotebrowser.contract.Session;
import io.github.remotebrowser.contract.UpdateOptions;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordsTest {
  private static final String ID = "br_01kxm2a7c9rt4bn8swzh3df6g1";
  private static final String BY_ID = "{\"id\":\"" + ID + "\"}";
  private static final String ADDRESS = "ws://h/devtools/browser/pQ7vK2mXc9RtY4bN8sWzLh3dFj6gTa1e";
  private static final String RECORD =
      """
      {"id":"%s","state":"open","startedOn":"2026-03-14T09:26:53.589Z","endedOn":null,\
      "reason":null,"units":4,"bytesSent":48211,"bytesReceived":null,"address":"%s",\
      "vncpass":"87654321","label":"shop","tags":["nightly"],"browser":2,"headless":false,\
      "keepOpen":2.5,"closesOn":null,"clients":0,"desktop":true,"new":{}}"""
          .formatted(ID, ADDRESS);
  private static final String OPEN = "{\"state\":\"open\",\"reason\":null}";

  private TestService service;

  @BeforeEach
  void start() throws Exception {
    service = new TestService();
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private RemoteBrowserClient client() {
    return service.client().build();
  }

  private List<String> bodies() {
    return service.asked.stream().map(TestService.Asked::body).toList();
  }

  @Test
  void aRecordIsReadWithoutNewMembers() {
    service.answers(200, RECORD);
    BrowserRecord record = client().browserById(ID).info();
    assertEquals(ID, record.id());
    assertEquals(OffsetDateTime.parse("2026-03-14T09:26:53.589Z"), record.startedOn());
    assertEquals(4, record.units());
    assertEquals(48211L, record.bytesSent());
    assertNull(record.bytesReceived());
    assertEquals(List.of("nightly"), record.tags());
    assertEquals(2, record.browser());
    assertEquals(2.5, record.keepOpen());
    assertEquals(List.of(BY_ID), bodies());
    assertFalse(record.toString().matches(".*(pQ7vK2mX|87654321).*"), record.toString());
  }

  @Test
  void aRecordWithoutAMemberIsInvalid() {
    service.answers(200, "{\"id\":\"x\",\"state\":\"hush\"}");
    InvalidAnswerError error =
        assertThrows(InvalidAnswerError.class, () -> client().browserById(ID).info());
    assertFalse(error.getMessage().contains("hush"));
  }

  @Test
  void aScreenshotHasThePicturesBytesAndType() {
    service.answers(200, "{\"type\":\"image/png\",\"image\":\"iVBORw0KGgr/AA==\",\"new\":1}");
    Screenshot shot = client().browserById(ID).screenshot();
    assertEquals("image/png", shot.type());
    byte[] bytes = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', (byte) 0xff, 0};
    assertArrayEquals(bytes, shot.image());
    assertEquals(List.of(BY_ID), bodies());
    assertEquals("Screenshot[type=image/png]", shot.toString());
  }

  @Test
  void aScreenshotsImageIsTheBody() {
    service
        .answers(200, "PNG", Map.of("Content-Type", "image/png"))
        .answers(200, RECORD)
        .answers(200, "PNG", Map.of("Content-Type", "image/png"))
        .answers(200, "PNG", Map.of("Content-Type", "text/html"));
    byte[] bytes = {'P', 'N', 'G'};
    assertArrayEquals(bytes, client().browserById("br_&").screenshotImage());
    assertArrayEquals(bytes, client().browser("ws://a").screenshotImage());
    assertThrows(InvalidAnswerError.class, () -> client().browserById(ID).screenshotImage());
    String path = "/api/v1/Browser/ScreenshotImage?id=";
    assertEquals(
        List.of(path + "br_%26", "/api/v1/Browser/Info", path + ID, path + ID),
        service.asked.stream().map(TestService.Asked::path).toList());
  }

  @Test
  void aScreenshotThatIsNotBase64IsInvalid() {
    for (String image : List.of("\"cat!\"", "null", "7")) {
      service.answers(200, "{\"type\":\"image/png\",\"image\":" + image + "}");
      InvalidAnswerError error =
          assertThrows(InvalidAnswerError.class, () -> client().browserById(ID).screenshot());
      assertFalse(error.getMessage().contains("cat!"), error.getMessage());
    }
  }

  @Test
  void anOpenedBrowserHasAnId() {
    service
        .answers(200, "{\"status\":200,\"address\":\"ws://a\",\"id\":\"" + ID + "\"}")
        .answers(200, RECORD)
        .answers(200, "{\"status\":200}");
    RemoteBrowser browser = client().open();
    assertEquals(ID, browser.id());
    assertEquals("RemoteBrowser[id=" + ID + "]", browser.toString());
    browser.info();
    browser.close();
    assertEquals(List.of("{}", BY_ID, "{\"address\":\"ws://a\"}"), bodies());
  }

  @Test
  void withAServiceOfVersionOneBrowsersHaveNoIds() {
    service
        .answers(200, "{\"status\":200,\"address\":\"ws://a\"}")
        .answers(
            200,
            "{\"sessions\":[{\"startedOn\":\"2026-03-14T09:26:53Z\",\"label\":null,\"address\":\"ws://a\",\"vncpass\":null}]}")
        .refuses(404, "NotFound", Map.of());
    assertNull(client().open().id());
    Session session = client().list().get(0);
    assertNull(session.id());
    assertNull(session.tags());
    assertNull(session.clients());
    assertThrows(NotFoundError.class, session::info);
    assertThrows(NotFoundError.class, session::awaitClosed);
    assertThrows(NotFoundError.class, () -> client().history().iterator().hasNext());
    assertThrows(NotFoundError.class, () -> client().account());
  }

  @Test
  void aSessionCanBeClosed() {
    service.answers(200, "{\"sessions\":[" + RECORD + "]}").answers(200, "{\"status\":200}");
    Session session = client().list().get(0);
    session.close();
    assertEquals("{\"address\":\"" + ADDRESS + "\"}", bodies().get(1));
    assertFalse(session.toString().matches(".*(pQ7vK2mX|87654321).*"), session.toString());
  }

  @Test
  void anUpdateSendsOnlyNewValues() {
    service.answers(200, RECORD);
    client().browserById(ID).update(new UpdateOptions().keepOpen(600).tags(List.of()));
    assertEquals(List.of("{\"id\":\"" + ID + "\",\"keepOpen\":600.0,\"tags\":[]}"), bodies());
  }

  @Test
  void waitingContinuesUntilTheBrowserHasEnded() {
    service.answers(200, OPEN).answers(200, "{\"state\":\"closed\",\"reason\":\"crashed\"}");
    long startedAt = System.nanoTime();
    RemoteBrowserClient client = service.client().timeout(Duration.ofSeconds(4)).build();
    assertEquals("crashed", client.browserById(ID).awaitClosed());
    assertTrue(System.nanoTime() - startedAt > 900_000_000);
    // Half of the timeout for an attempt.
    String wait = "{\"id\":\"" + ID + "\",\"seconds\":2.0}";
    assertEquals(List.of(wait, wait), bodies());
  }

  @Test
  void waitingEndsAtItsTimeoutAndOnAnInterruption() {
    BrowserHandle browser = service.answers(200, OPEN).client().build().browserById(ID);
    TimeoutError error =
        assertThrows(TimeoutError.class, () -> browser.awaitClosed(Duration.ofMillis(50)));
    assertEquals("The browser is still open after 0.05 s (timeout).", error.getMessage());
    Thread.currentThread().interrupt();
    assertThrows(InterruptedError.class, browser::awaitClosed);
    assertTrue(Thread.interrupted());
  }

  @Test
  void theHistoryIsRequestedPageByPageWhileIterating() {
    service
        .answers(200, part(RECORD, "\"c1\""))
        .answers(200, part("", "\"c2\""))
        .answers(200, part(RECORD, "null"));
    HistoryOptions options =
        new HistoryOptions().since(OffsetDateTime.parse("2026-03-09T00:00:00Z")).tag("nightly");
    List<Integer> requests = new ArrayList<>();
    for (BrowserRecord record : client().history(options)) {
      assertEquals(ID, record.id());
      requests.add(service.asked.size());
    }
    assertEquals(List.of(1, 3), requests);
    String request = "{\"since\":\"2026-03-09T00:00:00Z\",\"tag\":\"nightly\"";
    assertEquals(
        List.of(request + "}", request + ",\"cursor\":\"c1\"}", request + ",\"cursor\":\"c2\"}"),
        bodies());
  }

  private static String part(String records, String next) {
    return "{\"browsers\":[%s],\"next\":%s,\"keptSince\":null}".formatted(records, next);
  }

  @Test
  void closeAllSendsTheSelection() {
    service.answers(200, "{\"closed\":3}");
    assertEquals(3, client().closeAll());
    assertEquals(3, client().closeAllByLabel("a"));
    assertEquals(3, client().closeAllByTag("b"));
    assertEquals(List.of("{\"all\":true}", "{\"label\":\"a\"}", "{\"tag\":\"b\"}"), bodies());
  }

  @Test
  void theAccountIsRead() {
    service.answers(
        200,
        "{\"plan\":\"team\",\"parallel\":10,\"open\":2,\"period\":\"2026-03\",\"unitsUsed\":1280,\"unitsLeft\":null,\"additionalUnits\":false,\"maxLifetime\":86400,\"new\":1}");
    assertEquals(
        new AccountInfo("team", 10, 2, "2026-03", 1280, null, false, 86400.0), client().account());
  }

  @Test
  void anEmptyIdIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> service.client().build().browserById(" "));
  }
}
