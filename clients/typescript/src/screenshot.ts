import type { components } from "./generated/types.ts";
import { InvalidAnswerError } from "./remote-browser-error.ts";

type WireScreenshot = components["schemas"]["Screenshot"];

/** A screenshot of a browser. */
export type Screenshot = Readonly<
  Pick<WireScreenshot, "type"> & {
    /** The contents of the image file, whose format is `type`. */
    image: Uint8Array<ArrayBuffer>;
  }
>;

/** @throws {InvalidAnswerError} If the image isn't valid Base64. */
export function toScreenshot({ type, image }: WireScreenshot): Screenshot {
  return { type, image: decode(image) };
}

/** Decodes Base64 without `Buffer`, which web browsers lack, or `Uint8Array.fromBase64`, which Node 20 lacks. */
function decode(base64: string): Uint8Array<ArrayBuffer> {
  let bytes: string;
  try {
    bytes = atob(base64);
  } catch {
    throw new InvalidAnswerError("The response to takeScreenshot has an image that isn't valid Base64.");
  }
  // `Uint8Array.from` is ten times slower, and a screenshot can be millions of bytes long.
  const decoded = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) decoded[index] = bytes.charCodeAt(index);
  return decoded;
}
