import type { components } from "./generated/types.ts";
import { InvalidAnswerError } from "./remote-browser-error.ts";

type WireScreenshot = components["schemas"]["Screenshot"];

/** A picture of what a browser shows. */
export type Screenshot = Readonly<
  Pick<WireScreenshot, "type"> & {
    /** The picture's bytes, as in a file of its type. */
    image: Uint8Array<ArrayBuffer>;
  }
>;

/** @throws {InvalidAnswerError} When the picture isn't valid Base64. */
export function toScreenshot({ type, image }: WireScreenshot): Screenshot {
  return { type, image: decode(image) };
}

/** Web browsers have no `Buffer`, and Node 20 no `Uint8Array.fromBase64`. */
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
