/** The caller on whose behalf the store acts. */
export type StoreCaller = {
  /** The owner of the caller's share of connections, such as an account. */
  readonly share: string;
  /** Aborted when the caller gives up. Undefined: only the store's own time limit applies. */
  readonly signal: AbortSignal | undefined;
};
