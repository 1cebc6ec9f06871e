/** What an operator offers. Its name is what accounts are assigned to. */
export type Plan = {
  readonly name: string;
  /** Browsers open at once; undefined: as many as the machine carries. */
  readonly parallel: number | undefined;
  /** Units a calendar month (UTC); undefined: without limit. */
  readonly unitsPerMonth: number | undefined;
  /** Longest life of a browser in ms; undefined: without limit. */
  readonly maxLifetimeMs: number | undefined;
  /** Whether people may take it by themselves; others are assigned by the operator. */
  readonly isSelfService: boolean;
};

/** Always there: for people who run the service for themselves. Where they are the only ones, they may take it themselves. */
export const SELF_HOSTED: Plan = {
  name: "self-hosted",
  parallel: undefined,
  unitsPerMonth: undefined,
  maxLifetimeMs: undefined,
  isSelfService: false,
};

/** The operator's plans by name, `self-hosted` among them. */
export type Plans = ReadonlyMap<string, Plan>;
