import type { InstalledProgram, Run } from "./bubblewrap.ts";
import type { GroupTree } from "./limits/control-groups.ts";

/** Programs that sandboxes can run, by name. */
export type Programs = Readonly<Record<string, InstalledProgram>>;

/** The disk on which sandboxes store files. */
export type Disk = {
  /** A folder on that disk. */
  readonly folder: string;
  /** Disk space that sandboxes must leave free. */
  readonly reservedBytes: number;
};

/** The first request. */
export type Preparation = {
  readonly ask: "prepare";
  readonly programs: Programs;
  /** Whether each sandbox has its own user. */
  readonly hasOwners: boolean;
  /** Maximum number of processes and threads in all sandboxes together. */
  readonly tasks: number;
  /** Maximum number of bytes that a sandbox can store. */
  readonly diskBytes: number;
  /** The disk on which sandboxes store files. Undefined if they store files in memory. */
  readonly disk?: Disk | undefined;
  /** The folders in which sandboxes' control groups are created. Undefined if control groups aren't used. */
  readonly groups?: GroupTree | undefined;
};

/** A request from the server. `content` is base64. */
export type Request =
  | Preparation
  | { readonly ask: "make"; readonly id: string; readonly memoryBytes: number }
  | { readonly ask: "limit"; readonly id: string; readonly memoryBytes: number; readonly diskBytes: number }
  | { readonly ask: "weigh"; readonly ids: readonly string[]; readonly weight: number }
  | { readonly ask: "connectBrowser" | "remove"; readonly id: string }
  | { readonly ask: "writeFile" | "rewriteFile"; readonly id: string; readonly name: string; readonly content: string }
  | {
      readonly ask: "holdFile" | "holdSocket" | "connectSocket" | "release";
      readonly id: string;
      readonly name: string;
    }
  | { readonly ask: "start" | "holdListener"; readonly id: string; readonly name: string }
  | ({ readonly ask: "run"; readonly id: string; readonly program: number } & Run)
  | { readonly ask: "kill" | "measure"; readonly id: string; readonly program: number };

/** A message from the broker. */
export type Message =
  | { readonly re: number; readonly value: unknown; readonly sockets: readonly string[] }
  | { readonly re: number; readonly error: { readonly message: string; readonly code: string | undefined } }
  | ({ readonly ended: number } & ProgramEnd);

/**
 * Time limit for starting a program. Milliseconds are usually enough, but on a busy machine, sandboxes get little
 * processor time. The limit is less than the default limit of 30 s for launching a browser.
 */
export const START_TIMEOUT_MS = 25_000;

export type ProgramEnd = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether the sandbox exceeded its memory limit, or had the most processes when the total was too high. */
  readonly isOverLimit: boolean;
};

/** Sent with each socket: the request's number, and the socket's name. */
export type SocketLabel = { readonly re: number; readonly name: string };

/** The name of a listening socket. */
export const LISTENER = "listener";

/** Sandbox ids are folder names. */
const ID = /^[\w-]{1,36}$/;

/** Paths below a sandbox's folder, without `.` and `..`. */
const NAME = /^(?:\.?[\w-][\w.-]*\/)*\.?[\w-][\w.-]*$/;
const MAX_NAME = 200;

/** Sockets must be directly in the sandbox's `home`, because programs could replace a subfolder with a link. */
const SOCKET_NAME = /^[\w-][\w.-]*$/;

const MAX_WEIGHT = 10_000;

const VARIABLE = /^[A-Za-z_]\w*$/;

type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

/** The members of each request. */
const ASKS: ReadonlyMap<string, Checks> = new Map<string, Checks>(
  Object.entries({
    prepare: {
      programs: isPrograms,
      hasOwners: isBoolean,
      tasks: isCount,
      diskBytes: isCount,
      disk: isDisk,
      groups: isGroupTree,
    },
    make: { id: isId, memoryBytes: isCount },
    limit: { id: isId, memoryBytes: isCount, diskBytes: isCount },
    weigh: { ids: isStrings, weight: isWeight },
    writeFile: { id: isId, name: isName, content: isString },
    holdFile: { id: isId, name: isName },
    rewriteFile: { id: isId, name: isName, content: isString },
    start: { id: isId, name: isString },
    run: { id: isId, program: Number.isSafeInteger, arguments: isStrings, environment: isEnvironment },
    kill: { id: isId, program: Number.isSafeInteger },
    measure: { id: isId, program: Number.isSafeInteger },
    connectBrowser: { id: isId },
    holdSocket: { id: isId, name: isSocketName },
    holdListener: { id: isId, name: isString },
    connectSocket: { id: isId, name: isSocketName },
    release: { id: isId, name: isName },
    remove: { id: isId },
  }),
);

/** Returns the request number that the reply must contain; undefined if the message has none. */
export function readNumber(message: unknown): number | undefined {
  const { re } = toObject(message);
  return Number.isSafeInteger(re) ? Number(re) : undefined;
}

/** Checks a message from the server, which isn't trusted. @throws {TypeError} If it isn't a valid request. */
export function readRequest(message: unknown): Request {
  const { ask, ...rest } = toObject(message);
  const members = typeof ask === "string" ? ASKS.get(ask) : undefined;
  if (members === undefined) throw new TypeError("The request has an unknown type.");
  for (const [name, isValid] of Object.entries(members)) {
    if (!isValid(rest[name])) throw new TypeError(`The request ${String(ask)} has no valid ${name}.`);
  }
  return message as Request;
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function isId(value: unknown): boolean {
  return typeof value === "string" && ID.test(value);
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value.length <= MAX_NAME && NAME.test(value);
}

function isSocketName(value: unknown): boolean {
  return isName(value) && SOCKET_NAME.test(String(value));
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

function isString(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every(isString);
}

/** Variable names become part of a shell script, so only letters, digits and underscores are allowed. */
function isEnvironment(value: unknown): boolean {
  return isStrings(Object.values(toObject(value))) && Object.keys(toObject(value)).every((name) => VARIABLE.test(name));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isWeight(value: unknown): boolean {
  return isCount(value) && Number(value) <= MAX_WEIGHT;
}

function isGroupTree(value: unknown): boolean {
  const { version, memory, pids, cpu } = toObject(value);
  return value === undefined || ([1, 2].includes(Number(version)) && isStrings([memory, pids, cpu]));
}

function isDisk(value: unknown): boolean {
  const { folder, reservedBytes } = toObject(value);
  return value === undefined || (isString(folder) && isCount(reservedBytes));
}

function isPrograms(value: unknown): boolean {
  return Object.values(toObject(value)).every((program) => {
    const { command, reads, files, isBrowser, isFirst, listensOn } = toObject(program);
    const [areStrings, areBooleans] = [[command, reads].every(isStrings), [isBrowser, isFirst].every(isBoolean)];
    const areTexts = files === undefined || isStrings(Object.entries(toObject(files)).flat());
    return areStrings && areBooleans && areTexts && (listensOn === undefined || isName(listensOn));
  });
}
