// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.List;

/**
 * The size of the browser's first page: its {@code innerWidth}, {@code innerHeight} and {@code
 * devicePixelRatio}. {@code Width} and {@code Height} are required. The screen that the page sees can be
 * larger: {@code screen.height} includes the frame of a graphical browser, with its tabs and address bar. A
 * size that this kind of browser can't have, such as one with too many device pixels, is a {@code
 * BadRequest}.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class Screen {
  @JsonProperty("Width")
  private Integer width;

  @JsonProperty("Height")
  private Integer height;

  @JsonProperty("Scale")
  private @Nullable Double scale;

  /** Width in CSS pixels, from 200 to 3840. */
  public Screen width(int width) {
    this.width = width;
    return this;
  }

  /** Returns {@code width}. */
  public Integer getWidth() {
    return width;
  }

  /** Height in CSS pixels, from 200 to 2160. */
  public Screen height(int height) {
    this.height = height;
    return this;
  }

  /** Returns {@code height}. */
  public Integer getHeight() {
    return height;
  }

  /** Device pixels per CSS pixel, from 0.5 to 3. The default is 1. */
  public Screen scale(double scale) {
    this.scale = scale;
    return this;
  }

  /** Returns {@code scale}, or null if it is not set. */
  public @Nullable Double getScale() {
    return scale;
  }

  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "Screen[width=" + width + ", height=" + height + ", scale=" + scale + "]";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Screen same && members().equals(same.members());
  }

  @Override
  public int hashCode() {
    return members().hashCode();
  }

  private List<Object> members() {
    return Arrays.asList(width, height, scale);
  }
}
