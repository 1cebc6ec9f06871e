import type { Contract } from "../../openapi/scripts/contract.ts";

/** One language that clients are generated in. Its folder is `clients/` and its name. */
export type Language = {
  readonly name: string;
  /** What openapi-generator writes for it; undefined where another generator does. */
  readonly core?: {
    /** Relative to the workspace. */
    readonly settings: string;
    /** @returns Where a file goes, relative to the language's folder; undefined when the client doesn't need it. */
    place(path: string): string | undefined;
  };
  /** What we write ourselves, from the contract: by path relative to the language's folder. */
  render(contract: Contract): ReadonlyMap<string, string>;
};

/** Whether a file below a language's folder is generated, by its path: nothing there is written by hand. */
export function isGenerated(path: string): boolean {
  return /(^|\/)_?generated\/|_generated\.go$/.test(path);
}
