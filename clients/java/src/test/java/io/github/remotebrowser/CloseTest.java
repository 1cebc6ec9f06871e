package io.github.remotebrowser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CloseTest {
  private static final String CLOSED = "{\"status\":200}";

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
  void aClosedBrowserIsNotClosedAgain() {
    RemoteBrowser browser = service.answers(200, CLOSED).client().build().browser("ws://a");
    browser.close();
    browser.close();
    assertEquals(1, service.asked.size());
  }

  @Test
  void closingABrowserThatHasEndedSucceeds() {
    service.refuses(404, "BrowserNotFound", Map.of());
    RemoteBrowser browser = service.client().build().browser("ws://a");
    browser.close();
    browser.close();
    assertEquals(1, service.asked.size());
  }

  @Test
  void aFailedCloseCanBeRetried() {
    service.refuses(500, "Unknown", Map.of()).answers(200, CLOSED);
    RemoteBrowser browser = service.client().build().browser("ws://a");
    assertThrows(ApiError.class, browser::close);
    browser.close();
    assertEquals(2, service.asked.size());
  }

  @Test
  void closeWorksOnAnInterruptedThreadWhichStaysInterrupted() {
    RemoteBrowser browser = service.answers(200, CLOSED).client().build().browser("ws://a");
    Thread.currentThread().interrupt();
    browser.close();
    assertTrue(Thread.interrupted());
    assertEquals(1, service.asked.size());
  }

  @Test
  void closeTakesUpToTenSecondsOnAnInterruptedThread() {
    service.refuses(503, "BrowserUnavailable", Map.of("Retry-After", "11"));
    RemoteBrowser browser = service.client().build().browser("ws://a");
    Thread.currentThread().interrupt();
    assertThrows(ApiError.class, browser::close);
    assertTrue(Thread.interrupted());
  }
}
