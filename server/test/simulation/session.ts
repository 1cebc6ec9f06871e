import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { WebSocket } from "ws";
import type { Answered } from "../support/servers/call.ts";
import type { Random } from "../faults/random.ts";
import type { Client } from "./client.ts";
import type { Received, Session } from "./history.ts";

/** Number of attempts per request, and the delay between attempts, in ms. Each fault lasts a few seconds. */
const [TRIES, PAUSE_MS] = [60, 500];
/**
 * How many seconds a browser stays open without a client. Normally longer than any run, but short if the client leaves
 * early, because the server may have already sent the response and not know that the client left.
 */
const [KEEP_OPEN_S, LEFT_KEEP_OPEN_S] = [3600, 20];
/** The interval at which some clients send messages, and the time limit for a response, in ms. */
const [MESSAGE_MS, ANSWER_MS] = [5000, 15_000];

/** Minimum and maximum time after which an impatient client disconnects, in ms. */
const LEAVE_MS = [1, 150] as const;
/** Maximum time that a request waits if the account has reached its limit, in seconds. */
const WAIT_S = 5;

/** The share of clients that show each optional behaviour. */
const SHARE = { keyed: 0.3, asksAgain: 0.3, talks: 0.2, updates: 0.2, probes: 0.3, waits: 0.1, leaves: 0.05 } as const;

export type Plan = {
  readonly random: Random;
  readonly lifetimeMs: number;
  /** Aborted when all sessions must end. */
  readonly over: AbortSignal;
  /** Whether the client may disconnect before it receives a response. */
  readonly canLeave: boolean;
  readonly crashShare: number;
};

/** Returns true with a probability of `share`. */
function isDrawn(random: Random, share: number): boolean {
  return random.between(0, 1) < share;
}

/** Opens a browser, keeps a client connected to it, and closes it. Never rejects. */
export async function live(client: Client, session: Session, plan: Plan): Promise<void> {
  const { random } = plan;
  const [asksAgain, talks, updates, probes] = [SHARE.asksAgain, SHARE.talks, SHARE.updates, SHARE.probes].map((share) =>
    isDrawn(random, share),
  );
  const leaves = isDrawn(random, SHARE.leaves);
  const leaveMs = Math.round(random.between(...LEAVE_MS));
  if (leaves && plan.canLeave && !session.isKeyed) {
    await ask(client, session, AbortSignal.timeout(leaveMs));
    session.refusal = "left";
  } else await open(client, session);
  if (session.received.length === 0) return;
  const [{ id, address }] = session.received as [Received];
  if (session.isKeyed && asksAgain === true) await ask(client, session);
  if (updates === true) await client.post("Update", { id, label: session.label });
  if (isDrawn(random, plan.crashShare)) await crash(client, session, address);
  await stay(client, session, address, talks === true, plan);
  if (session.end !== undefined) return;
  const isClosed = await close(client, session, address);
  if (probes !== true || !isClosed) return;
  const late = await client.connect(address);
  if (typeof late !== "object") return;
  session.isReachableAfterClose = await isAnswered(late.socket);
  late.socket.terminate();
}

export function toSession(account: string, label: string, random: Random): Session {
  const [isKeyed, waits] = [isDrawn(random, SHARE.keyed), isDrawn(random, SHARE.waits)];
  return { label, account, isKeyed, waits, requestedMs: Date.now(), received: [] };
}

async function open(client: Client, session: Session): Promise<void> {
  // Without a key, a retry could open a second browser.
  for (let tries = session.isKeyed ? TRIES : 1; tries > 0; tries -= 1) {
    const answer = await ask(client, session);
    if (answer?.status === 200) return;
    session.refusal = answer === undefined ? "lost" : String(answer.body["name"]);
    const isTransient = answer === undefined || answer.status === 503 || answer.status === 409;
    if (!isTransient) return;
    await wait(PAUSE_MS);
  }
}

async function ask(client: Client, session: Session, leave?: AbortSignal): Promise<Answered | undefined> {
  const { label, isKeyed, waits } = session;
  const headers: Record<string, string> = isKeyed ? { "Idempotency-Key": label } : {};
  const options = {
    Headless: true,
    KeepOpen: leave === undefined ? KEEP_OPEN_S : LEFT_KEEP_OPEN_S,
    label,
    ...(waits && { WaitForPlace: WAIT_S }),
  };
  const startedMs = Date.now();
  const answer = await client.post("Open", options, headers, leave);
  if (answer?.status !== 200) return answer;
  session.tookMs ??= Date.now() - startedMs;
  session.answeredMs ??= Date.now();
  session.received.push({ id: String(answer.body["id"]), address: String(answer.body["address"]) });
  return answer;
}

/** Crashes the browser if the client can connect to it. */
async function crash(client: Client, session: Session, address: string): Promise<void> {
  const connection = await client.connect(address);
  if (typeof connection !== "object" || !(await isAnswered(connection.socket))) return;
  session.connectedMs ??= Date.now();
  session.crashedMs = Date.now();
  connection.socket.send(JSON.stringify({ id: 2, method: "Browser.crash" }));
  const { reason } = await stayConnected(connection.socket, false, AbortSignal.timeout(ANSWER_MS));
  const end = toEnd(reason);
  if (end !== undefined) session.end = { atMs: Date.now(), reason: end };
}

/** Returns the browser's end reason if the connection closed because the browser ended. */
function toEnd(reason: string): string | undefined {
  return /^browser closed: (\w+)/.exec(reason)?.[1];
}

/** Keeps a client connected until the client's lifetime is over, all sessions end, or the browser ends. */
async function stay(client: Client, session: Session, address: string, talks: boolean, plan: Plan): Promise<void> {
  const leave = AbortSignal.any([plan.over, AbortSignal.timeout(plan.lifetimeMs)]);
  let refused = 0;
  while (!leave.aborted && session.end === undefined && refused < TRIES) {
    const connection = await client.connect(address);
    if (connection === 404) session.end = { atMs: Date.now(), reason: "not found" };
    else if (typeof connection === "object" && (await isAnswered(connection.socket))) {
      session.connectedMs ??= Date.now();
      refused = 0;
      const { code, reason } = await stayConnected(connection.socket, talks, leave);
      const end = toEnd(reason);
      if (end !== undefined) session.end = { atMs: Date.now(), reason: end };
      else if (!leave.aborted) (session.losses ??= []).push({ atMs: Date.now(), front: connection.front, code });
    } else {
      if (typeof connection === "object") connection.socket.terminate();
      refused += 1;
      await wait(PAUSE_MS);
    }
  }
}

/** Resolves when the client has left or the connection has ended. */
async function stayConnected(
  socket: WebSocket,
  talks: boolean,
  leave: AbortSignal,
): Promise<{ readonly code: number; readonly reason: string }> {
  const closed = once(socket, "close") as Promise<[code: number, reason: Buffer]>;
  const talking = setInterval(() => {
    if (talks) socket.send(toMessage());
  }, MESSAGE_MS);
  const disconnect = (): void => socket.close(1000);
  leave.addEventListener("abort", disconnect, { once: true });
  if (leave.aborted) disconnect();
  const [code, reason] = await closed;
  clearInterval(talking);
  leave.removeEventListener("abort", disconnect);
  return { code, reason: String(reason) };
}

/** Returns whether a browser answers on the connection. */
async function isAnswered(socket: WebSocket): Promise<boolean> {
  const late = AbortSignal.timeout(ANSWER_MS);
  const closed = new AbortController();
  socket.once("close", () => closed.abort());
  socket.send(toMessage());
  return once(socket, "message", { signal: AbortSignal.any([late, closed.signal]) }).then(
    () => true,
    () => false,
  );
}

function toMessage(): string {
  return JSON.stringify({ id: 1, method: "Browser.getVersion" });
}

/** Retries a Close request until it succeeds. @returns Whether the request succeeded. */
async function close(client: Client, session: Session, address: string): Promise<boolean> {
  session.closeRequestedMs ??= Date.now();
  for (let tries = TRIES; tries > 0; tries -= 1) {
    const answer = await client.post("Close", { address });
    session.closeAnswers = [...(session.closeAnswers ?? []), answer?.status ?? "lost"];
    if (answer?.status === 200 || answer?.status === 404) return true;
    // A 401 means that the account is disabled, or that its token was just replaced.
    await wait(PAUSE_MS);
  }
  return false;
}
