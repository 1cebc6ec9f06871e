import type { Readable } from "node:stream";

const MAX_CHARACTERS = 4000;

/** The last of what a browser says about itself, for the message when it does not start. */
export class LogTail {
  #text = "";

  constructor(stderr: Readable) {
    stderr.setEncoding("utf8");
    stderr.on("data", (chunk: string) => {
      this.#text = (this.#text + chunk).slice(-MAX_CHARACTERS);
    });
  }

  get text(): string {
    return this.#text;
  }
}
