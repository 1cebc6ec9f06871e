import { lazyModel } from "../../server/src/adapters/anthropic/lazy-model.ts";
import { check } from "../../server/src/adapters/ajv/check.ts";
import type { CheckInput } from "../../server/src/adapters/ajv/check-thread.ts";
import { schemaChecker } from "../../server/src/adapters/ajv/schema-checker.ts";
import { systemClock } from "../../server/src/adapters/system-clock/system-clock.ts";
import { pageReducer } from "../../server/src/adapters/parse5/page-reducer.ts";
import { reduce } from "../../server/src/adapters/parse5/reduce.ts";
import type { Config } from "../../server/src/config/config.ts";
import type { Log } from "../../server/src/ports/log.ts";
import type { Metrics } from "../../server/src/ports/metrics.ts";
import type { Threads } from "../../server/src/ports/threads.ts";
import { Query } from "../../server/src/services/query/query.ts";

type Work = CheckInput | { readonly html: string; readonly maxChars: number };

/** What goes into threads elsewhere is done on the spot: starting one costs more than everything else in a question. */
const here: Threads = {
  async run(_script, input) {
    const work = input as Work;
    return "html" in work ? reduce(work.html, work.maxChars) : check(work.schema, work.json);
  },
};

/** Questions as the server answers them, at a fraction of the cost. */
export function quickQuery({ ai }: Config, log: Log, metrics: Metrics): Query {
  const { apiKey, ...settings } = ai;
  return new Query({
    ...settings,
    log,
    metrics,
    clock: systemClock,
    model: lazyModel({ ...settings, clock: systemClock }),
    pages: pageReducer(here),
    schemas: schemaChecker(here),
    newMark: () => "mark",
    credentialOf: async () => apiKey,
  });
}
