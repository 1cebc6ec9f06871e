package io.github.remotebrowser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import jakarta.annotation.Nullable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Pattern;

/**
 * Removes the token and the ids in addresses of browsers and desktops from error texts. Servers,
 * gateways and libraries may quote a request.
 */
final class Secrets {
  // Slashes may be escaped for JSON, HTML or URLs.
  private static final String SLASH = "(?:\\\\?/|&#x2f;|&#47;|%2f)";
  private static final Pattern ID =
      Pattern.compile(
          "(?i)(" + SLASH + "(?:devtools" + SLASH + "browser|desktop)" + SLASH + ")[^/?#\"'<\\s]+");

  private final String token;

  Secrets(String token) {
    this.token = token;
  }

  String hide(String text) {
    return ID.matcher(text.replace(token, "…")).replaceAll("$1…");
  }

  /** Hides secrets in all strings of a body. Modifies the body in place. */
  JsonNode hide(JsonNode body) {
    if (body instanceof ObjectNode object) {
      object.properties().forEach(member -> member.setValue(hide(member.getValue())));
    } else if (body instanceof ArrayNode list) {
      for (int place = 0; place < list.size(); place++) list.set(place, hide(list.get(place)));
    }
    return body.isTextual() ? TextNode.valueOf(hide(body.textValue())) : body;
  }

  /** Returns the cause, or null if its stack trace shows a secret. */
  @Nullable
  Throwable hide(Throwable cause) {
    StringWriter printed = new StringWriter();
    cause.printStackTrace(new PrintWriter(printed, true));
    return hide(printed.toString()).equals(printed.toString()) ? cause : null;
  }
}
