import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { MIN_MEMORY_MB } from "../domain/machine/bounds.ts";
import { type Plan, type Plans, SELF_HOSTED } from "../domain/plan/plan.ts";
import { MINUTE_MS } from "../domain/durations.ts";

const MIB = 2 ** 20;

/**
 * `{"parallel": 3, "unitsPerMonth": 1000, "maxLifetimeMinutes": 60, "memoryMb": 1024, "aiKey": true, "selfService":
 * true}`. Every option may be omitted.
 */
const planOptions = z.strictObject(
  {
    parallel: wholeNumberFrom(1).optional(),
    unitsPerMonth: wholeNumberFrom(0).optional(),
    maxLifetimeMinutes: z
      .number("must be a number of minutes")
      .positive("must be a number of minutes greater than 0")
      .optional(),
    memoryMb: wholeNumberFrom(MIN_MEMORY_MB).optional(),
    webGl: z.boolean("must be true or false").default(true),
    aiKey: z.boolean("must be true or false").default(false),
    selfService: z.boolean("must be true or false").default(false),
  },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? `has unknown options: ${issue.keys.join(", ")}` : "must be an object",
  },
);

/** Reads the operator's plans from a JSON file. In an environment variable, a table of plans would be hard to read. */
export const planFile = z
  .string()
  .transform(readJson)
  .pipe(z.record(z.string(), planOptions, "must be the path of a JSON file with an object of plans"))
  .transform((table, context): readonly Plan[] =>
    Object.entries(table).map(([name, options]) => {
      const addIssue = (message: string): void => context.addIssue({ code: "custom", path: [name], message });
      if (!/^[\w-]{1,64}$/.test(name)) addIssue("is not a plan name: use up to 64 letters, digits, - and _");
      if (name === SELF_HOSTED.name || name === "none") addIssue("is a reserved plan name");
      const {
        parallel,
        unitsPerMonth,
        maxLifetimeMinutes,
        memoryMb,
        webGl: hasWebGl,
        aiKey: hasAiKey,
        selfService: isSelfService,
      } = options;
      const maxLifetimeMs = maxLifetimeMinutes === undefined ? undefined : maxLifetimeMinutes * MINUTE_MS;
      const memoryBytes = memoryMb === undefined ? undefined : memoryMb * MIB;
      return { name, parallel, unitsPerMonth, maxLifetimeMs, memoryBytes, hasWebGl, hasAiKey, isSelfService };
    }),
  );

/**
 * Adds the built-in plan `self-hosted`.
 * @param isForThisMachine Whether only this machine can reach the server. Its users can then choose `self-hosted`
 *   themselves, unless the operator offers other plans.
 */
export function withSelfHosted(plans: readonly Plan[], isForThisMachine: boolean): Plans {
  const isSelfService = isForThisMachine && !plans.some((plan) => plan.isSelfService);
  return new Map([{ ...SELF_HOSTED, isSelfService }, ...plans].map((plan) => [plan.name, plan]));
}

function wholeNumberFrom(min: number) {
  const message = `must be a whole number, ${min} or more`;
  return z.int(message).min(min, message);
}

/** Returns undefined if the file can't be read or isn't JSON. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(resolve(file), "utf8"));
  } catch {
    return undefined;
  }
}
