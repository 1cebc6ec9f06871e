/** The caller on whose behalf the store works. */
export type StoreCaller = {
  /** The owner of the share of connections that it uses, such as an account. */
  readonly share: string;
  /** Aborted when the caller gives up. Undefined: only the store's own time limit applies. */
  readonly signal: AbortSignal | undefined;
};
