import type { Contract } from "../../openapi/scripts/contract.ts";

/** A language that a client is generated in. Its folder is `clients/NAME`. */
export type Language = {
  readonly name: string;
  /** The code from openapi-generator; undefined if another generator is used. */
  readonly core?: {
    /** Relative to the workspace. */
    readonly settings: string;
    /** @returns The path of a file, relative to the language's folder; undefined when the client doesn't need it. */
    place(path: string): string | undefined;
  };
  /** The files that aren't openapi-generator's, by path relative to the language's folder. */
  render(contract: Contract): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;
};

/** Whether the file at a path below the language's folder is generated. */
export function isGenerated(path: string): boolean {
  return /(^|\/)_?generated\/|_generated\.go$/.test(path);
}
