/** How many browsers the account `limited` may have open. */
export const LIMIT = 2;

/** How many units the account `few-units` has. */
export const FEW_UNITS = 3;

export const PLANS = {
  limited: { parallel: LIMIT, unitsPerMonth: 100_000, maxLifetimeMinutes: 60 },
  // The parallel limit equals the units: when both are used up, the response shows which one is checked first.
  few: { parallel: FEW_UNITS, unitsPerMonth: FEW_UNITS, maxLifetimeMinutes: 60 },
  // Queries need no units.
  empty: { parallel: 20, unitsPerMonth: 0, maxLifetimeMinutes: 60, aiKey: true },
};
