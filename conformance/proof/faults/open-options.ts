import type { Fault } from "../mutant.ts";
import { onMember, onRequest, refuseBody } from "./alter.ts";

export type Options = Readonly<Record<string, unknown>>;

/** Refuses some Open requests. @param findWrong Returns a JSON Pointer to the option that is refused. */
export function refuseWhere(findWrong: (options: Options) => string | undefined): Fault {
  return refuseBody("openBrowser", findWrong);
}

/** Alters the options of Open before the server reads them. */
export function understandAs(alter: (options: Options) => unknown): Fault {
  return onRequest("openBrowser", alter);
}

/** Alters one option of Open. @param alter Returns undefined to omit the option. */
export function onOption(name: string, alter: (value: unknown) => unknown): Fault {
  return onMember("openBrowser", name, alter);
}
