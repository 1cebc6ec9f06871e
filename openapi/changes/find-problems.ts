import type { Contract } from "../scripts/contract.ts";
import type { Change } from "./change.ts";
import { compareContracts } from "./compare-contracts.ts";
import { isNode, isPreview, type Node } from "./documents.ts";
import {
  ACCEPTED,
  type Accepted,
  compareVersions,
  readAccepted,
  readContractFile,
  RELEASED,
  sayVersion,
  type Version,
  versionOf,
} from "./released.ts";

export type Candidate = {
  readonly changes: readonly Change[];
  readonly accepted: readonly Accepted[];
  readonly released: Version;
  readonly present: Version;
  readonly paths: readonly string[];
};

/** The comparison of a contract with the released contract. */
export type Review = Candidate & { readonly problems: readonly string[] };

/** Compares a contract with the released contract, and checks whether it is an allowed successor. */
export function reviewContract(contract: Contract): Review {
  const before = readContractFile(RELEASED);
  const candidate = {
    changes: compareContracts(before, contract),
    accepted: readAccepted(ACCEPTED),
    released: versionOf(before),
    present: versionOf(contract),
    paths: Object.keys(contract.paths),
  };
  return { ...candidate, problems: [...findProblems(candidate), ...findMisdated(before, contract, candidate.present)] };
}

/** Lists the reasons why the current contract can't succeed the released one. */
export function findProblems({ changes, accepted, released, present, paths }: Candidate): string[] {
  const isNewMajor = present.major > released.major;
  const breaking = changes.filter(({ verdict }) => verdict === "breaking");
  const reasons = new Map(accepted.map(({ change, reason }) => [change, reason]));
  const refused = isNewMajor ? [] : breaking.filter(({ id }) => !reasons.has(id));
  const idle = accepted.filter(({ change }) => !breaking.some(({ id }) => id === change));
  const segment = `/api/v${present.major}/`;
  return [
    ...refused.map(({ id, why }) => `${id}\n  breaks clients: ${why}`),
    ...(refused.length > 0 ? [remedyFor(released)] : []),
    ...idle.map(
      ({ change }) => `accepted.json lists ${change}, which is not the identifier of a breaking change: remove it.`,
    ),
    ...paths
      .filter((path) => !path.startsWith(segment))
      .map((path) => `${path} must begin with ${segment}, the major version of info.version.`),
    ...(refused.length > 0 ? [] : versionProblems(changes, released, present)),
  ];
}

function remedyFor({ major }: Version): string {
  const next = sayVersion({ major: major + 1, minor: 0, patch: 0 });
  return (
    `Undo it, start a new major version (info.version ${next}, all paths under /api/v${major + 1}/), or accept it: add ` +
    "its identifier and the reason to openapi/released/accepted.json."
  );
}

function versionProblems(changes: readonly Change[], released: Version, present: Version): string[] {
  if (compareVersions(present, released) < 0) {
    return [`info.version is ${sayVersion(present)}, but ${sayVersion(released)} is already released.`];
  }
  if (present.major === released.major && present.minor > released.minor + 1) {
    const next = `${released.major}.${released.minor + 1}`;
    return [
      `info.version is ${sayVersion(present)}, but ${next} is not released: at most one minor version may be open.`,
    ];
  }
  const isMoreThanProse = changes.some(({ verdict }) => verdict !== "prose");
  if (!isMoreThanProse || present.major > released.major || present.minor > released.minor) return [];
  const next = sayVersion({ ...released, minor: released.minor + 1, patch: 0 });
  return [`info.version must be ${next} or higher, not ${sayVersion(present)}: clients can tell the difference.`];
}

/**
 * Lists the previews that don't name the version that added them: the one in the released contract or, if they aren't
 * released, the present minor version.
 */
export function findMisdated(before: Node, after: Node, { major, minor }: Version): string[] {
  const released = listPreviews(before);
  return [...listPreviews(after)].flatMap(([place, since]) => {
    const expected = released.get(place) ?? `${major}.${minor}`;
    return since === expected ? [] : [`x-since of ${place} must be "${expected}", not "${since}".`];
  });
}

/** Returns the `x-since` of each preview, by its place. */
function listPreviews(value: unknown, place = "#"): ReadonlyMap<string, string> {
  if (typeof value !== "object" || value === null) return new Map();
  return new Map([
    ...(isNode(value) && isPreview(value) ? [[place, String(value["x-since"])] as const] : []),
    ...Object.entries(value).flatMap(([key, member]) => [...listPreviews(member, `${place}/${key}`)]),
  ]);
}
