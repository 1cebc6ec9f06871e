import { type OperationId, operations } from "@remote-browser/contract/operations";
import { unusedAddress } from "../target/addresses.ts";
import type { Run } from "../run/run.ts";
import type { Exchange } from "../target/exchange.ts";
import type { AddressForm, Mistake, Verb } from "./step.ts";

export const OPERATIONS: Readonly<Record<Verb | "open" | "get", OperationId>> = {
  open: "openBrowser",
  get: "getBrowsers",
  close: "closeBrowser",
  start: "startRemoteDesktop",
  stop: "stopRemoteDesktop",
};

/** Writes the same address differently. */
export function write(address: string, form: AddressForm): string {
  switch (form) {
    case "as given":
      return address;
    case "without scheme":
      return address.replace(/^wss?:\/\//, "");
    case "at another host":
      return `wss://elsewhere.example/${address.slice(address.indexOf("devtools/browser/"))}`;
    case "with a query":
      return `${address}?from=list`;
  }
}

/** @param address Of the browser to use. Undefined means an unknown one. */
export async function sendMistake(run: Run, mistake: Mistake, address = unusedAddress()): Promise<Exchange> {
  const { main } = run;
  // If a faulty server opens a browser, its label marks it as the run's own.
  const options = { Headless: true, KeepOpen: 30, Label: run.newLabel() };
  switch (mistake.kind) {
    case "wrong token": {
      const headers = { Authorization: "Bearer no-token-of-anybody" };
      const body = { open: options, get: undefined, close: { address }, start: { address }, stop: { address } };
      return main.call(OPERATIONS[mistake.verb], body[mistake.verb], { headers });
    }
    case "malformed body": {
      const { method, path } = operations[OPERATIONS[mistake.verb]];
      const headers = { "Content-Type": "application/json" };
      return main.raw({ method: method.toUpperCase(), path, headers, body: `{"address": "${address}"` });
    }
    case "no address":
      return main.call(OPERATIONS[mistake.verb], mistake.body);
    case "unknown address":
      return main.call(OPERATIONS[mistake.verb], { address: mistake.isSimilar ? alter(address) : unusedAddress() });
    case "bad option":
      return main.open({ ...options, ...mistake.options });
  }
}

/** Changes only the first character of the id. */
function alter(address: string): string {
  return address.replace(
    /(.*\/devtools\/browser\/)(.)/,
    (_, head: string, first: string) => head + (first === "A" ? "B" : "A"),
  );
}
