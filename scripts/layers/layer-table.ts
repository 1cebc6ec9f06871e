/**
 * Who may import whom, as docs/architecture.md shows it. A layer that is not a key may import nothing of the workspace;
 * every layer may import itself, but an adapter's folder only its own files.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: ["contract"],
  ports: ["domain"],
  services: ["domain", "ports"],
  http: ["domain", "contract"],
  routes: ["http", "services", "domain", "contract"],
  adapters: ["domain", "ports"],
  // A list of warm browsers is checked as an Open is, by the contract's own schema.
  config: ["domain", "http", "contract"],
  // What the server is called and which version it is.
  manifest: [],
  // The two that wire adapters to ports: the server, and the command line beside it.
  app: ["config", "domain", "ports", "services", "http", "routes", "adapters", "contract", "manifest"],
  account: ["app", "config", "domain", "ports", "services", "adapters"],
  main: ["app", "config", "entry"],
  // What else stands beside main.ts and helps it speak.
  entry: ["app", "config", "domain", "ports", "services"],
  clients: ["contract"],
  conformance: ["contract"],
  // The table of rules in docs/conformance.md comes from the suite's registry.
  scripts: ["contract", "domain", "conformance"],
  // Measures the parts alone as well as together.
  bench: ["contract", "domain", "ports", "services", "http", "routes", "adapters", "config", "app"],
};

const FOLDERS = new Set(["domain", "ports", "services", "http", "routes", "adapters"]);

/** The files beside the folders; app.ts is made of those that wire a part each. */
const ENTRIES: Readonly<Record<string, string>> = {
  "main.ts": "main",
  "app.ts": "app",
  "books.ts": "app",
  "dashboard.ts": "app",
  "host.ts": "app",
  "people.ts": "app",
  "room.ts": "app",
  "serve.ts": "app",
  "services.ts": "app",
  "site.ts": "app",
  "ai-settings.ts": "config",
  "config.ts": "config",
  "plans.ts": "config",
  "proxies.ts": "config",
  "setting-kinds.ts": "config",
  "trusted-proxies.ts": "config",
  "warm-sets.ts": "config",
  "account.ts": "account",
  "account-commands.ts": "account",
};

/**
 * @param file Relative to the workspace, with forward slashes.
 * @returns Undefined for tests and configuration, which may import anything.
 */
export function layerOf(file: string): string | undefined {
  if (isTest(file)) return undefined;
  const [top = "", src, name = ""] = file.split("/");
  if (top === "openapi") return "contract";
  if (top !== "server") return top in MAY_IMPORT ? top : undefined;
  if (src === "package.json") return "manifest";
  if (src !== "src") return undefined;
  if (FOLDERS.has(name)) return name;
  return ENTRIES[name] ?? "entry";
}

/** Whether the file exists for tests only; so do the faulty servers that the conformance suite is tried on. */
export function isTest(file: string): boolean {
  return /\.(test|fixtures)\.ts$|(^|\/)(tests?|support)\/|^conformance\/proof\//.test(file);
}

/**
 * @param from Relative to the workspace, like `to`.
 * @returns Why the import is forbidden; undefined when it is fine.
 */
export function refusalOf(from: string, to: string): string | undefined {
  const [importing, imported] = [layerOf(from), layerOf(to)];
  if (importing === undefined) return undefined;
  if (isTest(to)) return `${importing} imports what exists for tests`;
  if (imported === undefined) return `${importing} imports a file of no layer`;
  if (imported === importing) return refusalInside(importing, from, to);
  return MAY_IMPORT[importing]?.includes(imported) === true ? undefined : `${importing} may not import ${imported}`;
}

function refusalInside(layer: string, from: string, to: string): string | undefined {
  if (layer === "routes") return refusalOfPages(from, to);
  const [left, right] = [from, to].map((file) => file.split("/")[3]);
  return layer === "adapters" && left !== right ? `adapter ${left} may not import adapter ${right}` : undefined;
}

/** Each folder of the dashboard is a few pages of their own; what they share is the frame, which knows none of them. */
function refusalOfPages(from: string, to: string): string | undefined {
  const [left, right] = [from, to].map((file) => /^server\/src\/routes\/dashboard\/([\w-]+)\//.exec(file)?.[1]);
  const isFine = left === undefined || left === right || right === "frame";
  return isFine ? undefined : `pages of ${left} may not import ${right === undefined ? to : `pages of ${right}`}`;
}
