import type { Run } from "../session/run.ts";
import { NoAnswer } from "../target/no-answer.ts";
import type { Devtools } from "../target/devtools.ts";
import type { Closing } from "../target/socket.ts";
import { type Act, isStatus } from "./answer.ts";
import { END_MS } from "./play-connection.ts";
import { type PlayedBrowser, playStep } from "./play-step.ts";
import { type Group, type Step, browserOf } from "./step.ts";

/** Runs steps on a deployment. Disposing disconnects all clients and closes all browsers. */
type Player = AsyncDisposable & {
  /**
   * Runs steps concurrently.
   * @returns The results, excluding steps on browsers that don't exist.
   * @throws {NoAnswer} When the server can't be reached.
   */
  play(group: Group): Promise<Act[]>;
  /** Numbers of the browsers that should be open. */
  readonly open: readonly number[];
  /** Numbers of all browsers ever opened. */
  readonly opened: readonly number[];
  /** Numbers of the browsers that have clients. */
  readonly connected: readonly number[];
};

export function newPlayer(run: Run): Player {
  const held = new Map<number, PlayedBrowser>();
  const numbersOf = (holds: (each: PlayedBrowser) => boolean): number[] =>
    [...held].filter(([, each]) => holds(each)).map(([number]) => number);

  /** If the step ended a browser, waits until its clients are disconnected. */
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
      const settled = await Promise.allSettled(steps.map((step) => playStep(run, held, step, steps.length === 1)));
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
      await Promise.all(left.map(({ address }) => run.main.close(address).catch(() => {})));
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
