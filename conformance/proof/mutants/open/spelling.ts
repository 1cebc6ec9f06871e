import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onRequest, onSuccess, refuseBody } from "../../faults/alter.ts";

const isCamel = (name: string): boolean => /^[a-z]/.test(name);
const toPascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const toCamel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Rejects some Open requests. @param findWrong Returns the name of the member to reject. */
function refuseMember(
  findWrong: (names: readonly string[], members: Readonly<Record<string, unknown>>) => string | undefined,
): Fault {
  return refuseBody("openBrowser", (members) => {
    const wrong = findWrong(Object.keys(members), members);
    return wrong === undefined ? undefined : `/${wrong}`;
  });
}

function without(members: Record<string, unknown>, isOut: (name: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !isOut(name)));
}

/** Faults in handling the two spellings of options. */
export const SPELLING_MUTANTS: readonly Mutant[] = [
  mutant("spelling-camel-ignored", ["RBS-SPELL-01"], "Options in camelCase are ignored", () =>
    onRequest("openBrowser", (options) => without(options, isCamel)),
  ),
  mutant("spelling-one-forgotten", ["RBS-SPELL-01"], "The camelCase spelling ignoredDefaultArgs is ignored", () =>
    onRequest("openBrowser", (options) => without(options, (name) => name === "ignoredDefaultArgs")),
  ),
  mutant("spelling-proxy-camel-ignored", ["RBS-SPELL-02"], "Members of Proxy in camelCase are ignored", () =>
    onRequest("openBrowser", (options) =>
      Object.fromEntries(
        Object.entries(options).map(([name, value]) => [
          name,
          name.toLowerCase() === "proxy" && typeof value === "object" && value !== null
            ? without(value as Record<string, unknown>, isCamel)
            : value,
        ]),
      ),
    ),
  ),
  mutant("spelling-mixed-refused", ["RBS-SPELL-03"], "A request that mixes both spellings is rejected", () =>
    refuseMember((names) => (names.some((name) => !isCamel(name)) ? names.find(isCamel) : undefined)),
  ),
  mutant("spelling-twice-refused", ["RBS-SPELL-04"], "Equal values in both spellings of an option are rejected", () =>
    refuseMember((names) => names.find((name) => isCamel(name) && names.includes(toPascal(name)))),
  ),
  mutant("spelling-null-conflicts", ["RBS-SPELL-04"], "An option in both spellings is rejected if either is null", () =>
    refuseMember((names, members) =>
      names.find(
        (name) => isCamel(name) && toPascal(name) in members && [members[name], members[toPascal(name)]].includes(null),
      ),
    ),
  ),
  mutant("spelling-null-wins", ["RBS-SPELL-04"], "If an option is set in both spellings, a camelCase null wins", () =>
    onRequest("openBrowser", (options) =>
      without(options, (name) => !isCamel(name) && options[toCamel(name)] === null),
    ),
  ),
  mutant("spelling-pascal-wins", ["RBS-SPELL-05"], "If an option is set in both spellings, PascalCase wins", () =>
    onRequest("openBrowser", (options) => without(options, (name) => isCamel(name) && toPascal(name) in options)),
  ),
  mutant("spelling-last-wins", ["RBS-SPELL-05"], "If an option is set in both spellings, the last value wins", () =>
    onRequest("openBrowser", (options) => {
      const last = new Map(Object.entries(options).map(([name, value]) => [toCamel(name), [name, value] as const]));
      return Object.fromEntries(last.values());
    }),
  ),
  mutant("spelling-update-pascal-ignored", ["RBS-SPELL-08"], "Update ignores members in PascalCase", () =>
    onRequest("updateBrowser", (body) => without(body, (name) => !isCamel(name))),
  ),
  mutant("spelling-address-both", ["RBS-SPELL-07"], "Close accepts Address instead of address", () =>
    onRequest("closeBrowser", (body) => ("Address" in body ? { ...body, address: body["Address"] } : body)),
  ),
  mutant("spelling-answer-pascal", ["RBS-ANSWER-02", "RBS-OPEN-01"], "Open returns Status and Address", () =>
    onSuccess("openBrowser", (body) =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [toPascal(name), value])),
    ),
  ),
];
