import { setTimeout as wait } from "node:timers/promises";
import { type DevtoolsClient, connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { call } from "../support/servers/call.ts";
import type { Deployment } from "./deployment.ts";
import { type Random, newRandom } from "./random.ts";

/** A request without a response for this long counts as a failure, no matter which fault occurs. */
const SILENCE_MS = 60_000;

/** Time after which a user closes a browser that doesn't respond, for example because it is frozen. */
const PATIENCE_MS = 15_000;

/** Maximum number of concurrent browser lifecycles. Otherwise, they accumulate while the deployment is down. */
const MAX_LIVES = 24;

const KINDS = [{ Browser: 3 }, { Browser: 3 }, { Headless: true }, { Headless: false }];

/** Users' observations. */
export type History = {
  /** Labels of Open requests, by outcome. `lost` means that no response arrived. */
  readonly opened: Set<string>;
  readonly refused: Set<string>;
  readonly lost: Set<string>;
  /** Number of responses by operation and result, such as `Open 200`, `Open 503 BrowserUnavailable` or `Close lost`. */
  readonly answers: Map<string, number>;
  /** The longest time that a request waited for its response or for its connection to end, in ms. */
  slowestMs: number;
  /** Number of browser lifecycles in which every step succeeded. */
  completed: number;
  /** Responses that the contract doesn't allow, and requests without a response. */
  readonly mistakes: string[];
};

function newHistory(): History {
  const [opened, refused, lost, answers] = [new Set<string>(), new Set<string>(), new Set<string>(), new Map()];
  return { opened, refused, lost, answers, slowestMs: 0, completed: 0, mistakes: [] };
}

/** Simulates users who open, use and close browsers. */
export type Load = {
  readonly history: History;
  /** Starts no more browser lifecycles, and waits for the current ones to end. */
  stop(): Promise<void>;
};

/** @param perS Number of browser lifecycles that begin per second. */
export function startLoad(deployment: Deployment, { perS, seed }: { perS: number; seed: number }): Load {
  const [history, random] = [newHistory(), newRandom(seed)];
  const lives = new Set<Promise<void>>();
  let [next, isStopped] = [0, false];
  const begin = (): void => {
    if (isStopped || lives.size >= MAX_LIVES) return;
    next += 1;
    const life: Promise<void> = live(deployment, { history, random, label: `life-${seed}-${next}` }).finally(() =>
      lives.delete(life),
    );
    lives.add(life);
  };
  const timer = setInterval(begin, 1000 / perS);
  return {
    history,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await Promise.all(lives);
    },
  };
}

/** Opens, uses and closes a browser. @returns The problems. */
export async function tryOnce(deployment: Deployment): Promise<string[]> {
  const history = newHistory();
  await live(deployment, { history, random: newRandom(1), label: "afterwards" });
  if (history.completed === 1) return [];
  return [`Afterwards, a browser could not be used: ${[...history.answers.keys()].join(", ")}`, ...history.mistakes];
}

/** Measures browser lifecycles per second while each of `users` users starts a new one as soon as the last one ends. */
export async function measureRate(deployment: Deployment, users: number, durationMs: number): Promise<number> {
  const [history, random] = [newHistory(), newRandom(1)];
  const startMs = performance.now();
  const repeatLives = async (user: number): Promise<void> => {
    for (let turn = 0; performance.now() - startMs < durationMs; turn += 1)
      await live(deployment, { history, random, label: `rate-${user}-${turn}` });
  };
  await Promise.all(Array.from({ length: users }, (_, user) => repeatLives(user)));
  return (history.completed / (performance.now() - startMs)) * 1000;
}

type Life = { readonly history: History; readonly random: Random; readonly label: string };

/** Never rejects. */
async function live(deployment: Deployment, { history, random, label }: Life): Promise<void> {
  const ask = async (operation: string, body: object): Promise<Awaited<ReturnType<typeof call>> | undefined> => {
    const startMs = performance.now();
    const answer = await answered(operation, deployment, body, history);
    history.slowestMs = Math.max(history.slowestMs, performance.now() - startMs);
    const text = answer === undefined ? "lost" : [answer.status, answer.body["name"]].join(" ").trim();
    count(history, `${operation} ${text}`);
    return answer;
  };
  const end = random.oneOf(["close", "Browser.close", "leave"] as const);
  const kind = random.oneOf(KINDS);
  const isReal = deployment.browsers === "real";
  const answer = await ask("Open", { Headless: true, ...(isReal ? kind : {}), Label: label, KeepOpen: 2 });
  if (answer === undefined) return void history.lost.add(label);
  if (answer.status !== 200) return void history.refused.add(label);
  history.opened.add(label);
  const address = String(answer.body["address"]);
  const isDone = await use(address, { page: isReal ? deployment.page : undefined, end });
  if (!isDone || end === "close") await ask("Close", { address });
  if (isDone) history.completed += 1;
}

/** Uses a browser that may end at any time. @returns Whether everything worked. */
async function use(
  address: string,
  { page, end }: { page: string | undefined; end: string | undefined },
): Promise<boolean> {
  let client: DevtoolsClient | undefined;
  const steps = async (): Promise<boolean> => {
    client = await connectDevtools(address, { handshakeTimeout: PATIENCE_MS });
    if (page === undefined) await client.command("Browser.getVersion");
    else {
      const evaluate = await openPage(client, page);
      const title = await evaluate(`fetch("${page}", { mode: "no-cors" }).then(() => 6 * 7)`);
      if (title !== 42) return false;
    }
    // The connection may close before the response arrives.
    if (end === "Browser.close") await client.command("Browser.close").catch(() => {});
    return true;
  };
  const isDone = await Promise.race([steps().catch(() => false), wait(PATIENCE_MS, false, { ref: false })]);
  client?.socket.terminate();
  return isDone;
}

/** @returns The response, or undefined if the connection ended without one. */
async function answered(
  operation: string,
  { url, token }: Deployment,
  body: object,
  history: History,
): ReturnType<typeof call> extends Promise<infer Answer> ? Promise<Answer | undefined> : never {
  try {
    const silence = wait(SILENCE_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${operation} received no response within ${SILENCE_MS} ms.`);
    });
    return await Promise.race([call(url, "POST", `/api/v1/Browser/${operation}`, token, body), silence]);
  } catch (error) {
    if (!isLost(error)) history.mistakes.push(`${operation}: ${(error as Error).message}`);
    return undefined;
  }
}

const LOST = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE"]);

function isLost(error: unknown): boolean {
  return LOST.has(String((error as NodeJS.ErrnoException).code));
}

function count({ answers }: History, what: string): void {
  answers.set(what, (answers.get(what) ?? 0) + 1);
}
