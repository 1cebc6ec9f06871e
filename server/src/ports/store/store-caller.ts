/** Who uses the store at the moment. */
export type StoreCaller = {
  /** Whose share of the store's connections it uses, such as an account. */
  readonly share: string;
  /** Aborted when the caller gives up. Undefined: it waits for as long as the store does. */
  readonly signal: AbortSignal | undefined;
};
