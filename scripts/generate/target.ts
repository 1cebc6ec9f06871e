import type { Toolchain } from "../toolchains/why-missing.ts";

/** Files that one command generates from other files. All paths are relative to the workspace. */
export type Target = {
  readonly name: string;
  /** Runs at the workspace's root, with node_modules/.bin first on the PATH. */
  readonly command: readonly [string, ...string[]];
  /** The target can't be made if this is missing. */
  readonly needs?: Toolchain;
  /** Files and folders that the outputs depend on. Tests in them don't count. */
  readonly inputs: readonly string[];
  /** Files and folders that the command writes. */
  readonly outputs: readonly string[];
  /** Which files in `outputs` are generated, if a folder also has hand-written files. */
  readonly owns?: (path: string) => boolean;
};
