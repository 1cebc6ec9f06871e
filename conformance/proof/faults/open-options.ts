import type { Fault } from "../mutant.ts";
import { onMember, onRequest, refuseBody } from "./alter.ts";

export type Options = Readonly<Record<string, unknown>>;

/** Rejects some Open requests. @param findWrong Returns a JSON Pointer to the option to reject, or undefined. */
export function refuseWhere(findWrong: (options: Options) => string | undefined): Fault {
  return refuseBody("openBrowser", findWrong);
}

/** Alters an Open request's options before the server reads them. */
export function understandAs(alter: (options: Options) => unknown): Fault {
  return onRequest("openBrowser", alter);
}

/** Alters one option of Open requests. @param alter Returns undefined to omit the option. */
export function onOption(name: string, alter: (value: unknown) => unknown): Fault {
  return onMember("openBrowser", name, alter);
}
