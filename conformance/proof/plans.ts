/** The parallel limit of the account `limited`. */
export const LIMIT = 2;

/** The units of the account `few-units`. */
export const FEW_UNITS = 3;

export const PLANS = {
  limited: { parallel: LIMIT, unitsPerMonth: 100_000, maxLifetimeMinutes: 60 },
  // The parallel limit equals the unit limit, so the response shows which limit the server checks first.
  few: { parallel: FEW_UNITS, unitsPerMonth: FEW_UNITS, maxLifetimeMinutes: 60 },
  // Queries don't need units.
  empty: { parallel: 20, unitsPerMonth: 0, maxLifetimeMinutes: 60, aiKey: true },
};
