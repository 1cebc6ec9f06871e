// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.Objects;

/**
 * A picture of what a browser shows.
 *
 * @param type The picture's media type, {@code image/png} or {@code image/jpeg}. Later versions may add
 * values.
 * @param image The picture, encoded in Base64. The client decodes it to bytes.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Screenshot(
    String type,
    byte[] image) {

  /** Refuses null for a member that every service sends. */
  public Screenshot {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(image, "image");
  }

  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "Screenshot[type=" + type + "]";
  }
}
