import type { Caller } from "./threads.ts";

/** The parts of a page that help a model answer questions about it. */
export type ReducedPage = {
  /** HTML in well-formed Unicode. */
  readonly text: string;
  /** The text's length before it was cut to `maxChars`, in characters. */
  readonly fullChars: number;
};

export interface PageReducer {
  /**
   * Removes content that a page doesn't show, or that doesn't help to answer questions about the page.
   * @param html A document or a fragment, valid or not.
   * @param maxChars Maximum length of the text, in characters.
   * @throws {Failure} `BadRequest` if the page is nested too deeply or takes too long to read; `signal.reason` if the
   * caller's signal is aborted.
   */
  reduce(html: string, maxChars: number, caller: Caller): Promise<ReducedPage>;
}
