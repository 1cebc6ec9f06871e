import type { Mutant } from "../mutant.ts";
import { onAnswer, onCall, onRequest, isFor, refusal } from "./alter.ts";

const isCamel = (name: string): boolean => /^[a-z]/.test(name);
const toPascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const toCamel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

function membersOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const refuseWhere = (
  isWrong: (names: readonly string[], members: Record<string, unknown>) => string | undefined,
): ReturnType<Mutant["fault"]> =>
  onCall((request, text) => {
    if (!isFor(request, "openBrowser")) return undefined;
    const members = membersOf(text);
    const wrong = isWrong(Object.keys(members), members);
    return wrong === undefined ? undefined : refusal("BadRequest", `/${wrong}`);
  });

function without(members: Record<string, unknown>, isOut: (name: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !isOut(name)));
}

/** The two spellings of options. */
export const SPELLING_MUTANTS: readonly Mutant[] = [
  {
    id: "spelling-camel-ignored",
    title: "Options in camelCase are ignored",
    killedBy: ["RBS-SPELL-01"],
    fault: () => onRequest("openBrowser", (options) => without(options, isCamel)),
  },
  {
    id: "spelling-one-forgotten",
    title: "The camelCase spelling ignoredDefaultArgs is ignored",
    killedBy: ["RBS-SPELL-01"],
    fault: () => onRequest("openBrowser", (options) => without(options, (name) => name === "ignoredDefaultArgs")),
  },
  {
    id: "spelling-proxy-camel-ignored",
    title: "Members of Proxy in camelCase are ignored",
    killedBy: ["RBS-SPELL-02"],
    fault: () =>
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
  },
  {
    id: "spelling-mixed-refused",
    title: "Both spellings in one request are refused",
    killedBy: ["RBS-SPELL-03"],
    fault: () => refuseWhere((names) => (names.some((name) => !isCamel(name)) ? names.find(isCamel) : undefined)),
  },
  {
    id: "spelling-twice-refused",
    title: "An option in both spellings is refused even if the values agree",
    killedBy: ["RBS-SPELL-04"],
    fault: () => refuseWhere((names) => names.find((name) => isCamel(name) && names.includes(toPascal(name)))),
  },
  {
    id: "spelling-null-conflicts",
    title: "An option in both spellings is refused if one of them is null",
    killedBy: ["RBS-SPELL-04"],
    fault: () =>
      refuseWhere((names, members) =>
        names.find(
          (name) =>
            isCamel(name) && toPascal(name) in members && [members[name], members[toPascal(name)]].includes(null),
        ),
      ),
  },
  {
    id: "spelling-null-wins",
    title: "Of an option in both spellings, a null in camelCase wins",
    killedBy: ["RBS-SPELL-04"],
    fault: () =>
      onRequest("openBrowser", (options) =>
        without(options, (name) => !isCamel(name) && options[toCamel(name)] === null),
      ),
  },
  {
    id: "spelling-pascal-wins",
    title: "Of an option in both spellings, the one in PascalCase wins",
    killedBy: ["RBS-SPELL-05"],
    fault: () =>
      onRequest("openBrowser", (options) => without(options, (name) => isCamel(name) && toPascal(name) in options)),
  },
  {
    id: "spelling-last-wins",
    title: "Of an option in both spellings, the last one wins",
    killedBy: ["RBS-SPELL-05"],
    fault: () =>
      onRequest("openBrowser", (options) => {
        const last = new Map(Object.entries(options).map(([name, value]) => [toCamel(name), [name, value] as const]));
        return Object.fromEntries(last.values());
      }),
  },
  {
    id: "spelling-update-pascal-ignored",
    title: "Update ignores values in PascalCase",
    killedBy: ["RBS-SPELL-08"],
    fault: () => onRequest("updateBrowser", (body) => without(body, (name) => !isCamel(name))),
  },
  {
    id: "spelling-address-both",
    title: "Close accepts Address instead of address",
    killedBy: ["RBS-SPELL-07"],
    fault: () =>
      onRequest("closeBrowser", (body) => ("Address" in body ? { ...body, address: body["Address"] } : body)),
  },
  {
    id: "spelling-answer-pascal",
    title: "Open returns Status and Address",
    killedBy: ["RBS-ANSWER-02", "RBS-OPEN-01"],
    fault: () =>
      onAnswer("openBrowser", ({ status, body }) =>
        status === 200
          ? { body: Object.fromEntries(Object.entries(body).map(([name, value]) => [toPascal(name), value])) }
          : {},
      ),
  },
];
