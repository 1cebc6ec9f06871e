/** What a page answers with when it can't do what was asked. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503;

/** What a page can't do for who asks: told on a page, in words for people. Operations of the contract have `Failure` for it. */
export class PageRefusal extends Error {
  override readonly name = "PageRefusal";
  readonly status: RefusalStatus;
  /** A few words that say what happened. */
  readonly title: string;
  /** Seconds after which trying again makes sense. */
  readonly retryAfterS: number | undefined;

  /** @param message What was wrong, and what to do. */
  constructor(
    status: RefusalStatus,
    title: string,
    message: string,
    details: { readonly retryAfterS?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.status = status;
    this.title = title;
    this.retryAfterS = details.retryAfterS;
  }
}
