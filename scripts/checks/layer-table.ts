/** The service folders, from the top layer to the bottom. */
const SERVICES = [
  "query sign-in attempts operators accounts workers health fleet placement desktops",
  "pictures browsers admission warm capacity records store",
].flatMap((names) => names.split(" ").map((name) => `server/src/services/${name}`));

const BELOW_SERVICES = serverFolders("concurrency ports domain");

/** The folders between the suite's command and the deployment, from the top layer to the bottom. */
const SUITE = "run registry rules model scenario session target contract"
  .split(" ")
  .map((name) => `conformance/src/${name}`);

/**
 * The folders that each folder may import, as shown in docs/architecture.md. A file belongs to the longest listed path
 * that its own path starts with. Apart from its own files, a folder may import only the listed folders.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // Parses all command lines.
  "command-line": [],
  openapi: ["command-line"],
  clients: ["openapi", "command-line"],
  conformance: [...SUITE, "openapi", "command-line"],
  ...toLayers(SUITE, ["openapi"]),
  // The table of rules in docs/conformance.md comes from the suite's registry.
  scripts: ["command-line", "openapi", "server/src/domain", "conformance"],
  bench: ["openapi", "server/src/domain", "command-line"],
  // The server's name and version.
  "server/package.json": [],
  "server/src/main.ts": [...serverFolders("app cli config"), "command-line"],
  "server/src/cli": [...serverFolders("app config services domain ports"), "command-line", "server/package.json"],
  // The only folder that may import adapters.
  "server/src/app": [
    ...serverFolders("config web cluster api gateway contract services concurrency ports domain adapters"),
    "server/package.json",
    "openapi",
  ],
  // Warm sets are validated like Open requests, with the contract's schema.
  "server/src/config": [...serverFolders("contract domain"), "openapi"],
  "server/src/web": [...serverFolders("api gateway contract services concurrency ports domain"), "openapi"],
  "server/src/cluster": [...serverFolders("api gateway ports domain"), "openapi"],
  "server/src/api": [...serverFolders("gateway contract services concurrency ports domain"), "openapi"],
  "server/src/gateway": serverFolders("contract concurrency ports domain"),
  "server/src/contract": ["server/src/domain", "openapi"],
  "server/src/services": BELOW_SERVICES,
  ...toLayers(SERVICES, BELOW_SERVICES),
  "server/src/adapters": serverFolders("concurrency ports domain"),
  // The broker's client: the one adapter that starts programs.
  "server/src/adapters/broker": serverFolders("broker concurrency ports domain"),
  "server/src/broker": [],
  "server/src/concurrency": serverFolders("ports domain"),
  "server/src/ports": ["server/src/domain"],
  "server/src/domain": ["openapi"],
};

/** Folders whose subfolders may not import each other. */
const SEPARATE = ["server/src/adapters", "server/src/web/dashboard"];
/** The exception to `SEPARATE`: code that real and fake screens share. */
const SHARED = "server/src/adapters/rfb";

/** Besides `server/src/domain`, the only server source that bench and the tests of these folders may import. */
const TEST_INTERFACE = "server/test/interface.ts";
const USERS_OF_TEST_INTERFACE = ["bench", "clients", "conformance"];

const LONGEST_FIRST = Object.keys(MAY_IMPORT).toSorted((one, other) => other.length - one.length);

/**
 * @param file Relative to the workspace, with forward slashes.
 * @returns The layer; undefined for tests and configuration.
 */
export function layerOf(file: string): string | undefined {
  return isTest(file) ? undefined : LONGEST_FIRST.find((layer) => isIn(file, layer));
}

/** Whether the file exists only for tests, such as the faulty servers that test the conformance suite. */
function isTest(file: string): boolean {
  return /\.(test|fixtures)\.ts$|(^|\/)(tests?|support)\/|^conformance\/proof\//.test(file);
}

/**
 * @param from Relative to the workspace, like `to`.
 * @returns The reason why the import is forbidden, or undefined if it is allowed.
 */
export function refusalOf(from: string, to: string): string | undefined {
  const [importing, imported] = [layerOf(from), layerOf(to)];
  if (importing === undefined) return refusalOfTest(from, to);
  if (importing === "bench" && to === TEST_INTERFACE) return undefined;
  if (isTest(to)) return `${importing} imports a file that is only for tests`;
  if (imported === undefined) return `${importing} imports a file without a layer`;
  const separate = SEPARATE.find((folder) => isIn(from, folder) && isIn(to, folder) && !isIn(to, SHARED));
  if (separate !== undefined) return refusalOfNeighbour(separate, from, to);
  const isAllowed = importing === imported || MAY_IMPORT[importing]?.some((layer) => isIn(to, layer)) === true;
  return isAllowed ? undefined : `${importing} may not import ${imported}`;
}

/** Tests may import anything, but tests outside the server must use its test interface. */
function refusalOfTest(from: string, to: string): string | undefined {
  const folder = USERS_OF_TEST_INTERFACE.find((outside) => isIn(from, outside));
  const isInside = isIn(to, "server/src") && !isIn(to, "server/src/domain");
  return folder !== undefined && isInside ? `tests of ${folder} may import ${TEST_INTERFACE} instead` : undefined;
}

/** A file directly in the folder may import every subfolder, but a subfolder may import only itself. */
function refusalOfNeighbour(folder: string, from: string, to: string): string | undefined {
  const [left, right] = [from, to].map((file) => file.slice(folder.length + 1).split("/"));
  if (left === undefined || right === undefined || left.length === 1 || left[0] === right[0]) return undefined;
  return `${folder}/${left[0]} may not import ${folder}/${right[0]}`;
}

/** Each folder may import those after it and `below`. */
function toLayers(folders: readonly string[], below: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(folders.map((folder, at) => [folder, [...folders.slice(at + 1), ...below]]));
}

/** @param names Separated by spaces. */
function serverFolders(names: string): string[] {
  return names.split(" ").map((name) => `server/src/${name}`);
}

function isIn(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}
