import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { type Plan, type Plans, SELF_HOSTED } from "../domain/account/plan.ts";

const MINUTE_MS = 60_000;

/** What a file of plans says: `{"starter": {"parallel": 3, "unitsPerMonth": 1000, "maxLifetimeMinutes": 60, "selfService": true}}`. */
const planTable = z.record(
  z.string(),
  z.strictObject({
    parallel: z.int().min(1).optional(),
    unitsPerMonth: z.int().min(0).optional(),
    maxLifetimeMinutes: z.number().positive().optional(),
    selfService: z.boolean().default(false),
  }),
);

/**
 * Reads the operator's plans. They stand in a file, since a table of them in one setting would be hard to read.
 * @param file Path of a JSON file; empty: there is only the plan that is always there.
 * @param isForThisMachine Whether nobody else reaches the server: `self-hosted` is self-service there, unless the operator
 *   marked others.
 */
export function readPlans(
  file: string,
  isForThisMachine: boolean,
): { readonly plans: Plans; readonly mistakes: readonly string[] } {
  const { plans, mistakes } = readFile(file);
  const isOffered = isForThisMachine && ![...plans.values()].some(({ isSelfService }) => isSelfService);
  return { plans: plans.set(SELF_HOSTED.name, { ...SELF_HOSTED, isSelfService: isOffered }), mistakes };
}

function readFile(file: string): { readonly plans: Map<string, Plan>; readonly mistakes: readonly string[] } {
  const plans = new Map<string, Plan>([[SELF_HOSTED.name, SELF_HOSTED]]);
  if (file === "") return { plans, mistakes: [] };
  const json = readJson(file);
  if (json === undefined) return { plans, mistakes: [`${file} is no file with JSON in it`] };
  const read = planTable.safeParse(json);
  if (!read.success) {
    const mistakes = read.error.issues.map(({ path, message }) => `${[file, ...path].join(" ")}: ${message}`);
    return { plans, mistakes };
  }
  const mistakes: string[] = [];
  for (const [name, plan] of Object.entries(read.data)) {
    const { parallel, unitsPerMonth, maxLifetimeMinutes, selfService: isSelfService } = plan;
    if (!/^[\w-]{1,64}$/.test(name))
      mistakes.push(`the plan ${JSON.stringify(name)} may have letters, digits, - and _ only`);
    if (plans.has(name) || name === "none") mistakes.push(`the name ${name} is taken`);
    const maxLifetimeMs = maxLifetimeMinutes === undefined ? undefined : maxLifetimeMinutes * MINUTE_MS;
    plans.set(name, { name, parallel, unitsPerMonth, maxLifetimeMs, isSelfService });
  }
  return { plans, mistakes };
}

/** What the file says; undefined when it can't be read or is no JSON. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(resolve(file), "utf8"));
  } catch {
    return undefined;
  }
}
