/** Browsers that the account `limited` may have open. */
export const LIMIT = 2;

/** Units that the account `few-units` has. */
export const FEW_UNITS = 3;

export const PLANS = {
  limited: { parallel: LIMIT, unitsPerMonth: 100_000, maxLifetimeMinutes: 60 },
  // As many places as units: what is used up at the same time shows which of the two is looked at first.
  few: { parallel: FEW_UNITS, unitsPerMonth: FEW_UNITS, maxLifetimeMinutes: 60 },
  empty: { parallel: 20, unitsPerMonth: 0, maxLifetimeMinutes: 60 },
};
