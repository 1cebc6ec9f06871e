package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.remotebrowser.RemoteBrowser;
import java.io.PrintWriter;
import java.io.StringWriter;

/** The text that a program prints when it logs a value. */
final class Printed {
  private Printed() {}

  /** Fails if a value, or one of an error's causes, shows the token or the browser's id. */
  static void hides(Scene scene, RemoteBrowser browser, Object printed) {
    String id = browser.address().replaceFirst(".*/", "");
    hides(scene.server.token(), printed);
    hides(id, printed);
  }

  static void hides(String secret, Object printed) {
    String text = printed instanceof Throwable error ? traceOf(error) : String.valueOf(printed);
    // The message leaves out the text, which would show the secret.
    assertFalse(text.contains(secret), printed.getClass().getSimpleName() + " shows a secret.");
  }

  private static String traceOf(Throwable error) {
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace, true));
    return trace.toString();
  }
}
