import type { Run } from "../session/run.ts";
import { type Devtools, connectDevtools } from "../target/devtools.ts";
import { tryHandshake } from "../target/handshake.ts";
import { NoAnswer } from "../target/no-answer.ts";
import { connectViewer } from "../target/rfb.ts";
import { type Answer, toAnswer } from "./answer.ts";

/** Maximum wait for a connection to close, in ms. */
export const END_MS = 8000;
const POLL_MS = 200;

/** Data needed to connect to a browser and its desktop. */
export type Connectable = {
  readonly address: string;
  readonly clients: Devtools[];
  /** The result of the last successful Start. */
  desktop: { readonly rfbUrl: string; readonly password: string } | undefined;
  isOpen: boolean;
};

/** Runs a step that opens or uses a connection to a browser or its desktop. */
export async function playConnection(
  run: Run,
  verb: "connect" | "ask" | "disconnect" | "quit" | "watch",
  browser: Connectable,
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
  // The connection may close before the response arrives.
  devtools.command("Browser.close").catch(() => {});
  const closing = await devtools.closing(END_MS);
  const isGone = await isUnlisted(run, address);
  if (isGone) browser.isOpen = false;
  return { kind: "quit", closing, isGone };
}

async function isUnlisted(run: Run, address: string): Promise<boolean> {
  for (const deadline = Date.now() + END_MS; Date.now() < deadline; await run.sleep(POLL_MS)) {
    if ((await run.main.find(address)) === undefined) return true;
  }
  return false;
}

async function ask(client: Devtools): Promise<boolean> {
  return client.command("Browser.getVersion").then(
    (outcome) => "result" in outcome,
    () => false,
  );
}

/** @returns The connection, or the response with which the server rejected it. */
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
