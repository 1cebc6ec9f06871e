import type { Fault } from "../mutant.ts";
import { isFor, onCall, onMember, onRequest, refusal } from "./alter.ts";

export type Options = Readonly<Record<string, unknown>>;

/** A fault that refuses some Open requests. @param findWrong Returns a JSON Pointer to the option that is refused. */
export function refuseWhere(findWrong: (options: Options) => string | undefined): Fault {
  return onCall((request, text) => {
    if (!isFor(request, "openBrowser")) return undefined;
    try {
      const wrong = findWrong(JSON.parse(text) as Options);
      return wrong === undefined ? undefined : refusal("BadRequest", wrong);
    } catch {
      return undefined;
    }
  });
}

/** A fault in how Open reads its options. */
export function understandAs(alter: (options: Options) => unknown): Fault {
  return onRequest("openBrowser", alter);
}

/** A fault in how Open reads one option. @param alter Returns undefined to leave it out. */
export function onOption(name: string, alter: (value: unknown) => unknown): Fault {
  return onMember("openBrowser", name, alter);
}
