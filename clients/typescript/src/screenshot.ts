import type { components } from "./generated/types.ts";
import { InvalidAnswerError } from "./remote-browser-error.ts";

type WireScreenshot = components["schemas"]["Screenshot"];

/** A picture of a browser. */
export type Screenshot = Readonly<
  Pick<WireScreenshot, "type"> & {
    /** The contents of an image file of this type. */
    image: Uint8Array<ArrayBuffer>;
  }
>;

/** @throws {InvalidAnswerError} If the picture isn't valid Base64. */
export function toScreenshot({ type, image }: WireScreenshot): Screenshot {
  return { type, image: decode(image) };
}

/** Decodes without `Buffer`, which web browsers lack, and `Uint8Array.fromBase64`, which Node 20 lacks. */
function decode(base64: string): Uint8Array<ArrayBuffer> {
  let bytes: string;
  try {
    bytes = atob(base64);
  } catch {
    throw new InvalidAnswerError("The response to takeScreenshot has an image that isn't valid Base64.");
  }
  // `Uint8Array.from` takes ten times as long, and a picture can have millions of bytes.
  const decoded = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) decoded[index] = bytes.charCodeAt(index);
  return decoded;
}
