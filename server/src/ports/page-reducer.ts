/** What of a page is worth a model's reading. */
export type ReducedPage = {
  /** HTML of what the page shows, well-formed Unicode. */
  readonly text: string;
  /** Characters the text would have uncut; more than it has when it was cut. */
  readonly fullChars: number;
};

export interface PageReducer {
  /**
   * Leaves out of a page what it does not show, and what does not help to answer questions about it.
   * @param html A document or a fragment, however broken.
   * @param maxChars Characters of the text at most.
   * @throws {Failure} `BadRequest` when the page is nested too deeply or takes too long to read; `signal.reason` when
   *   that is aborted.
   */
  reduce(html: string, maxChars: number, signal: AbortSignal): Promise<ReducedPage>;
}
