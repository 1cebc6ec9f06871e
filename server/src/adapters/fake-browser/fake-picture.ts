import { PNG } from "pngjs";
import type { Picture } from "../../ports/picture.ts";
import { COLOUR, HEIGHT, WIDTH } from "./viewing.ts";

/** PNG's number for pixels without transparency. */
const RGB = 2;

let made: Picture | undefined;

/** What a fake screen shows, of headless fakes too; it is made once, since nothing ever happens on it. */
export function fakePicture(): Picture {
  if (made !== undefined) return made;
  const png = new PNG({ width: WIDTH, height: HEIGHT });
  png.data = Buffer.alloc(WIDTH * HEIGHT * COLOUR.length, Uint8Array.from(COLOUR));
  const bytes = PNG.sync.write(png, { colorType: RGB, inputColorType: RGB, inputHasAlpha: false });
  return (made = { type: "image/png", bytes });
}
