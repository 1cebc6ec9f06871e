import type { BrowserExit } from "../../ports/browser-host.ts";

/** A DevTools command on the wire. */
type Command = { readonly id: number; readonly method: string; readonly params: unknown };

const VERSION = {
  protocolVersion: "1.3",
  product: "FakeChrome/1.0.0.0",
  revision: "@0",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) FakeChrome/1.0.0.0",
  jsVersion: "0.0",
};

/** The response to a message, and how the browser exits after sending it. */
type Reply = { readonly text?: string; readonly exit?: BrowserExit };

/** Supports `Browser.getVersion`, `.close`, and `.crash` (no response). Answers other commands with DevTools' error. */
export function reply(message: string): Reply {
  const command = readCommand(message);
  if (command === undefined) return toError(null, -32700, "Message must be a valid JSON");
  switch (command.method) {
    case "Browser.getVersion":
      return toResult(command.id, VERSION);
    case "Browser.close":
      return { ...toResult(command.id, {}), exit: "exited" };
    case "Browser.crash":
      return { exit: "crashed" };
    default:
      return toError(command.id, -32601, `'${command.method}' wasn't found`);
  }
}

function readCommand(message: string): Command | undefined {
  try {
    const value: unknown = JSON.parse(message);
    return isCommand(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCommand(value: unknown): value is Command {
  if (typeof value !== "object" || value === null) return false;
  return "id" in value && typeof value.id === "number" && "method" in value && typeof value.method === "string";
}

function toResult(id: number, result: object): Reply {
  return { text: JSON.stringify({ id, result }) };
}

function toError(id: number | null, code: number, message: string): Reply {
  return { text: JSON.stringify({ id, error: { code, message } }) };
}
