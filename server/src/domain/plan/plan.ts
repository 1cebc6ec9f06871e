/** A plan that the operator offers. */
export type Plan = {
  readonly name: string;
  /** The maximum number of open browsers; undefined: as many as the machine can run. */
  readonly parallel: number | undefined;
  /** Units per calendar month (UTC); undefined: unlimited. */
  readonly unitsPerMonth: number | undefined;
  /** Maximum lifetime of a browser in ms; undefined: unlimited. */
  readonly maxLifetimeMs: number | undefined;
  /** A browser's memory limit; undefined: the deployment's limit. */
  readonly memoryBytes?: number | undefined;
  /** Whether pages can use WebGL; undefined: yes. */
  readonly hasWebGl?: boolean;
  /** Whether AI Query may use the deployment's key for the provider. */
  readonly hasAiKey?: boolean;
  /** Whether users can choose the plan. Operators assign all other plans. */
  readonly isSelfService: boolean;
};

/**
 * The built-in plan without limits. Users can choose this plan only if no other plan is self-service and only the
 * server's own machine can reach the server.
 */
export const SELF_HOSTED: Plan = {
  name: "self-hosted",
  parallel: undefined,
  unitsPerMonth: undefined,
  maxLifetimeMs: undefined,
  hasAiKey: true,
  isSelfService: false,
};

/** The operator's plans by name, including `self-hosted`. */
export type Plans = ReadonlyMap<string, Plan>;
