import { randomUUID } from "node:crypto";
import type { Run } from "../run/run.ts";
import type { Exchange } from "../target/exchange.ts";
import { type Closing, type Devtools, connectDevtools } from "../target/devtools.ts";
import { tryHandshake } from "../target/handshake.ts";
import { NoAnswer } from "../target/no-answer.ts";
import { connectViewer } from "../target/rfb.ts";
import { type Act, type Answer, toAnswer } from "./answer.ts";
import { isNoRoom, isStatus } from "./judge.ts";
import { OPERATIONS, sendMistake, write } from "./requests.ts";
import { type Group, type LaterVerb, type Step, type Verb, browserOf, isLaterVerb } from "./step.ts";

/** Tolerance for noticing that a connection has ended. */
const END_MS = 8000;
const POLL_MS = 200;
const MAX_WAIT_S = 15;
const OPEN_TRIES = 3;

/** What the player knows about a browser. */
type PlayedBrowser = {
  readonly address: string;
  readonly clients: Devtools[];
  label: string;
  /** Repeats its Open. Undefined if it had no Idempotency-Key. */
  readonly repeat: (() => Promise<Exchange>) | undefined;
  /** From the last successful Start. */
  desktop: { readonly rfbUrl: string; readonly password: string } | undefined;
  isOpen: boolean;
};

/** Runs steps on a deployment. Disposing disconnects all clients and closes all browsers. */
export type Player = AsyncDisposable & {
  /**
   * Runs steps concurrently.
   * @returns The results. Steps on browsers that do not exist are left out.
   * @throws {NoAnswer} When the server can't be reached.
   */
  play(group: Group): Promise<Act[]>;
  /** Numbers of the browsers that should be open. */
  readonly open: readonly number[];
  /** Numbers of all browsers that were opened. */
  readonly opened: readonly number[];
  /** Numbers of the browsers with clients. */
  readonly connected: readonly number[];
};

export function newPlayer(run: Run): Player {
  const account = run.main;
  const held = new Map<number, PlayedBrowser>();
  const numbersOf = (holds: (each: PlayedBrowser) => boolean): number[] =>
    [...held].filter(([, each]) => holds(each)).map(([number]) => number);

  async function takeStep(step: Step, isAlone: boolean): Promise<Omit<Act, "ends">> {
    if (step.do === "open") return open(step, isAlone);
    if (step.do === "get") return { step, answer: answered(await account.get()) };
    const browser = held.get(browserOf(step) ?? -1);
    if (step.do === "err") return { step, answer: answered(await sendMistake(run, step.mistake, browser?.address)) };
    if (browser === undefined) throw new Error("The player only runs steps on browsers that exist.");
    if (step.do === "close" || step.do === "start" || step.do === "stop") {
      return { step, answer: await call(step.do, browser, write(browser.address, step.form)) };
    }
    if (isLaterVerb(step.do)) return { step, ...(await callLater(step.do, browser)) };
    return { step, answer: await use(step.do, browser) };
  }

  async function open(step: Extract<Step, { do: "open" }>, isAlone: boolean): Promise<Omit<Act, "ends">> {
    const label = `${run.newLabel()}${step.labelEnd}`;
    const headers = step.isKeyed ? { "Idempotency-Key": randomUUID() } : {};
    const send = (): Promise<Exchange> => account.open({ ...step.options, Label: label }, { headers });
    for (let tries = 1; ; tries += 1) {
      const exchange = await send();
      const answer = answered(exchange);
      const waitS = Number(exchange.received.headers["retry-after"]);
      if (isAlone && isNoRoom(answer) && waitS <= MAX_WAIT_S && tries < OPEN_TRIES) {
        await run.sleep(waitS * 1000);
        continue;
      }
      if (isStatus(answer, 200) && typeof answer.body["address"] === "string") {
        const { address } = answer.body;
        const repeat = step.isKeyed ? send : undefined;
        held.set(step.browser, { address, clients: [], label, repeat, desktop: undefined, isOpen: true });
      }
      return { step, answer, label };
    }
  }

  async function call(verb: Verb, browser: PlayedBrowser, address: string): Promise<Answer> {
    const answer = answered(await account.call(OPERATIONS[verb], { address }));
    if (!isStatus(answer, 200)) return answer;
    if (verb === "close") browser.isOpen = false;
    const { rfbUrl, password } = answer.body;
    if (typeof rfbUrl === "string" && typeof password === "string") browser.desktop = { rfbUrl, password };
    return answer;
  }

  async function callLater(verb: LaterVerb, browser: PlayedBrowser): Promise<Pick<Act, "answer" | "label">> {
    const { address, label, repeat } = browser;
    switch (verb) {
      case "info":
        return { answer: answered(await account.call("getBrowserInfo", { address })) };
      case "wait":
        return { answer: answered(await account.call("waitForBrowser", { address, seconds: 0 })) };
      case "history":
        return { answer: answered(await account.call("getBrowserHistory", { label })) };
      case "repeat":
        if (repeat === undefined) throw new Error("The player only repeats an Open that had an Idempotency-Key.");
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

  async function use(
    verb: "connect" | "ask" | "disconnect" | "quit" | "watch",
    browser: PlayedBrowser,
  ): Promise<Answer> {
    const { address, clients, desktop } = browser;
    if (verb === "watch") return watch(desktop?.rfbUrl ?? "", desktop?.password ?? "");
    if (verb === "disconnect") {
      await clients.shift()?.[Symbol.asyncDispose]();
      return { kind: "disconnected" };
    }
    const [client] = verb === "ask" ? clients : [];
    if (client !== undefined) return { kind: "connected", isAnswered: await ask(client) };
    const devtools = await connect(address);
    if ("kind" in devtools) return devtools;
    if (verb === "connect") {
      clients.push(devtools);
      return { kind: "connected", isAnswered: await ask(devtools) };
    }
    await using _ = devtools;
    // The connection may end before the answer.
    devtools.command("Browser.close").catch(() => {});
    const closing = await devtools.closing(END_MS);
    const isGone = await isUnlisted(address);
    if (isGone) browser.isOpen = false;
    return { kind: "quit", closing, isGone };
  }

  async function isUnlisted(address: string): Promise<boolean> {
    for (const deadline = Date.now() + END_MS; Date.now() < deadline; await run.sleep(POLL_MS)) {
      if ((await account.find(address)) === undefined) return true;
    }
    return false;
  }

  /** Waits for the clients of a browser that the step ended to be disconnected. */
  async function collectClosings(
    act: Omit<Act, "ends">,
    before: ReadonlyMap<number, readonly Devtools[]>,
  ): Promise<Act> {
    const number = browserOf(act.step);
    const isClose = act.step.do === "close" || act.step.do === "closeAll";
    const isEnd = isClose ? isStatus(act.answer, 200) : act.answer.kind === "quit" && act.answer.isGone;
    if (number === undefined || !isEnd) return { ...act, ends: [] };
    const ends = (before.get(number) ?? []).map((client): Promise<Closing | undefined> => client.closing(END_MS));
    return { ...act, ends: await Promise.all(ends) };
  }

  return {
    async play(group) {
      const steps = group.filter((step) => isPossible(step, held));
      const leaving = new Set(steps.filter((step) => step.do === "disconnect").map(browserOf));
      const before = new Map(
        [...held].map(([number, { clients }]) => [number, leaving.has(number) ? [] : [...clients]]),
      );
      const settled = await Promise.allSettled(steps.map((step) => takeStep(step, steps.length === 1)));
      const taken = settled.map((each, at) => {
        if (each.status === "fulfilled") return each.value;
        const { reason } = each as { reason: unknown };
        const step = steps[at];
        if (step === undefined || !(reason instanceof NoAnswer) || !reason.isReached) throw reason;
        return { step, answer: { kind: "silence", why: reason.message } as const };
      });
      const acts = await Promise.all(taken.map((act) => collectClosings(act, before)));
      for (const browser of held.values()) if (!browser.isOpen) browser.clients.length = 0;
      return acts;
    },
    get open() {
      return numbersOf(({ isOpen }) => isOpen);
    },
    get opened() {
      return [...held.keys()];
    },
    get connected() {
      return numbersOf(({ clients }) => clients.length > 0);
    },
    async [Symbol.asyncDispose]() {
      const clients = [...held.values()].flatMap((each) => each.clients);
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
      const left = [...held.values()].filter(({ isOpen }) => isOpen);
      await Promise.all(left.map(({ address }) => account.close(address).catch(() => {})));
    },
  };
}

function isPossible(step: Step, held: ReadonlyMap<number, PlayedBrowser>): boolean {
  if (step.do === "open" || step.do === "get" || step.do === "err") return true;
  const browser = held.get(step.browser);
  if (step.do === "ask" || step.do === "disconnect") return (browser?.clients.length ?? 0) > 0;
  if (step.do === "repeat") return browser?.repeat !== undefined;
  if (step.do === "watch") return browser?.desktop !== undefined;
  return browser !== undefined;
}

function answered({ received }: Exchange): Answer {
  return toAnswer(received);
}

async function ask(client: Devtools): Promise<boolean> {
  return client.command("Browser.getVersion").then(
    (outcome) => "result" in outcome,
    () => false,
  );
}

/** @returns The connection, or how the server refused it. */
async function connect(address: string): Promise<Devtools | Answer> {
  try {
    return await connectDevtools(address);
  } catch (error) {
    if (!(error instanceof NoAnswer) || !error.isReached) throw error;
    // `ws` does not expose the response.
    return toAnswer(await tryHandshake(address));
  }
}

async function watch(rfbUrl: string, password: string): Promise<Answer> {
  try {
    await using _ = await connectViewer(rfbUrl, password);
    return { kind: "watched", isIn: true, password };
  } catch (error) {
    if (error instanceof NoAnswer) return { kind: "watched", isIn: false, password };
    throw error;
  }
}
