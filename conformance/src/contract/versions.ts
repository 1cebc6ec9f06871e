import { type OperationId, operations } from "@remote-browser/contract/operations";
import { contract as newest } from "./contract.ts";
import first from "./contract-1.0.json" with { type: "json" };

/** Contract versions that the suite can check, oldest first. */
export const CONTRACT_VERSIONS = ["1.0", "1.1"] as const;
export type ContractVersion = (typeof CONTRACT_VERSIONS)[number];

export const NEWEST_VERSION: ContractVersion = "1.1";

type Contract = {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
};

/** The contract of each version. */
const CONTRACTS: Readonly<Record<ContractVersion, Contract>> = { "1.0": first, "1.1": newest };

export function contractOf(version: ContractVersion): Contract {
  return CONTRACTS[version];
}

/** Returns the operations that every deployment of a version has, which previews aren't. */
export function operationsIn(version: ContractVersion): readonly OperationId[] {
  const methods = Object.values(contractOf(version).paths).flatMap((path) => Object.values(path));
  return methods.map(({ operationId }) => operationId as OperationId).filter((id) => !operations[id].isPreview);
}

/** Returns the operations in `ids` that exist in a version. */
export function knownIn<Id extends OperationId>(version: ContractVersion, ids: readonly Id[]): readonly Id[] {
  const all = operationsIn(version);
  return ids.filter((id) => all.includes(id));
}

/** Whether a version includes the additions of version `since`. */
export function includes(version: ContractVersion, since: ContractVersion): boolean {
  return CONTRACT_VERSIONS.indexOf(version) >= CONTRACT_VERSIONS.indexOf(since);
}

/**
 * Converts the `info.version` in a deployment's contract. For unknown later versions of v1, returns the newest version
 * that the suite supports, because later versions only add to earlier versions.
 * @returns Undefined if `text` isn't a version of v1.
 */
export function toVersion(text: string): ContractVersion | undefined {
  const [, minor] = /^1\.(\d+)(?:\.|$)/.exec(text) ?? [];
  return CONTRACT_VERSIONS.findLast((known) => Number(known.slice("1.".length)) <= Number(minor));
}
