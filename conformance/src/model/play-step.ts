import { randomUUID } from "node:crypto";
import { type OperationId, operations } from "@remote-browser/contract/operations";
import type { Run } from "../session/run.ts";
import { unusedAddress } from "../target/addresses.ts";
import type { Exchange } from "../target/exchange.ts";
import { type Act, type Answer, isNoRoom, isStatus, toAnswer } from "./answer.ts";
import { type Connectable, playConnection } from "./play-connection.ts";
import {
  type AddressForm,
  type LaterVerb,
  type Mistake,
  type Step,
  type Verb,
  browserOf,
  isGraphical,
  isLaterVerb,
} from "./step.ts";

const MAX_WAIT_S = 15;
const OPEN_TRIES = 3;

const OPERATIONS: Readonly<Record<Verb | "open" | "get", OperationId>> = {
  open: "openBrowser",
  get: "getBrowsers",
  close: "closeBrowser",
  start: "startRemoteDesktop",
  stop: "stopRemoteDesktop",
};

/** What the player knows about a browser. */
export type PlayedBrowser = Connectable & {
  label: string;
  /** Repeats the browser's Open request. Undefined if the request had no Idempotency-Key. */
  readonly repeat: (() => Promise<Exchange>) | undefined;
};

/**
 * Runs a step on a deployment.
 * @param held The browsers by number. Open adds an entry.
 * @param isAlone Whether no other steps run concurrently.
 */
export async function playStep(
  run: Run,
  held: Map<number, PlayedBrowser>,
  step: Step,
  isAlone: boolean,
): Promise<Omit<Act, "ends">> {
  if (step.do === "open") {
    const { browser, ...act } = await open(run, step, isAlone);
    if (browser !== undefined) held.set(step.browser, browser);
    return act;
  }
  if (step.do === "get") return { step, answer: answered(await run.main.get()) };
  const browser = held.get(browserOf(step) ?? -1);
  if (step.do === "err") return { step, answer: answered(await sendMistake(run, step.mistake, browser?.address)) };
  if (browser === undefined) throw new Error("The player can only run steps on browsers that exist.");
  if (step.do === "close" || step.do === "start" || step.do === "stop") {
    return { step, answer: await call(run, step.do, browser, write(browser.address, step.form)) };
  }
  if (isLaterVerb(step.do)) return { step, ...(await callLater(run, step.do, browser)) };
  return { step, answer: await playConnection(run, step.do, browser) };
}

async function open(
  run: Run,
  step: Extract<Step, { do: "open" }>,
  isAlone: boolean,
): Promise<Omit<Act, "ends"> & { readonly browser?: PlayedBrowser }> {
  const label = `${run.newLabel()}${step.labelEnd}`;
  const headers = step.isKeyed ? { "Idempotency-Key": randomUUID() } : {};
  // A headless browser is of the cheapest kind, unless the step names a kind.
  const kind = isGraphical(step.options) || "browser" in step.options ? {} : run.lightest;
  const send = (): Promise<Exchange> => run.main.open({ ...kind, ...step.options, Label: label }, { headers });
  for (let tries = 1; ; tries += 1) {
    const exchange = await send();
    const answer = answered(exchange);
    const waitS = Number(exchange.received.headers["retry-after"]);
    if (isAlone && isNoRoom(answer) && waitS <= MAX_WAIT_S && tries < OPEN_TRIES) {
      await run.sleep(waitS * 1000);
      continue;
    }
    const address = isStatus(answer, 200) ? answer.body["address"] : undefined;
    if (typeof address !== "string") return { step, answer, label };
    const repeat = step.isKeyed ? send : undefined;
    return { step, answer, label, browser: { address, clients: [], label, repeat, desktop: undefined, isOpen: true } };
  }
}

async function call(run: Run, verb: Verb, browser: PlayedBrowser, address: string): Promise<Answer> {
  const answer = answered(await run.main.call(OPERATIONS[verb], { address }));
  if (!isStatus(answer, 200)) return answer;
  if (verb === "close") browser.isOpen = false;
  const { rfbUrl, password } = answer.body;
  if (typeof rfbUrl === "string" && typeof password === "string") browser.desktop = { rfbUrl, password };
  return answer;
}

async function callLater(run: Run, verb: LaterVerb, browser: PlayedBrowser): Promise<Pick<Act, "answer" | "label">> {
  const account = run.main;
  const { address, label, repeat } = browser;
  switch (verb) {
    case "info":
      return { answer: answered(await account.call("getBrowserInfo", { address })) };
    case "wait":
      return { answer: answered(await account.call("waitForBrowser", { address, seconds: 0 })) };
    case "history":
      return { answer: answered(await account.call("getBrowserHistory", { label })) };
    case "repeat":
      if (repeat === undefined) throw new Error("The player can only repeat an Open that had an Idempotency-Key.");
      return { answer: answered(await repeat()) };
    case "update": {
      const renamed = run.newLabel();
      const answer = answered(await account.call("updateBrowser", { address, label: renamed }));
      if (isStatus(answer, 200)) browser.label = renamed;
      return { answer, label: renamed };
    }
    case "closeAll": {
      const answer = answered(await account.call("closeAllBrowsers", { label }));
      if (isStatus(answer, 200)) browser.isOpen = false;
      return { answer };
    }
  }
}

function answered({ received }: Exchange): Answer {
  return toAnswer(received);
}

/** Writes an address in a different form. */
function write(address: string, form: AddressForm): string {
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

/** @param address The address to use. Default: an unknown address. */
async function sendMistake(run: Run, mistake: Mistake, address = unusedAddress()): Promise<Exchange> {
  const { main } = run;
  // If a faulty server opens a browser for this request, the label shows that the browser belongs to this run.
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
