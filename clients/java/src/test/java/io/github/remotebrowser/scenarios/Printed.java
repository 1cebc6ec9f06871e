package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.remotebrowser.RemoteBrowser;
import java.io.PrintWriter;
import java.io.StringWriter;

/** What a program prints when it logs something. */
final class Printed {
  private Printed() {}

  /** Fails when it shows the token or the browser's id; of an error, its causes count as well. */
  static void hides(Scene scene, RemoteBrowser browser, Object printed) {
    String id = browser.address().replaceFirst(".*/", "");
    hides(scene.server.token(), printed);
    hides(id, printed);
  }

  static void hides(String secret, Object printed) {
    String text = printed instanceof Throwable error ? traceOf(error) : String.valueOf(printed);
    // Without the text, since a log of tests is a log.
    assertFalse(text.contains(secret), printed.getClass().getSimpleName() + " shows a secret.");
  }

  private static String traceOf(Throwable error) {
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace, true));
    return trace.toString();
  }
}
