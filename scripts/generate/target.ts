import type { Toolchain } from "../toolchains/why-missing.ts";

/** Something that is made from other files of the workspace, by one command. All paths are relative to the workspace. */
export type Target = {
  readonly name: string;
  /** Run at the workspace's root, with node_modules/.bin first on the PATH. */
  readonly command: readonly [string, ...string[]];
  /** Where this is missing, it can't be made. */
  readonly needs?: Toolchain;
  /** Files and folders that the outcome depends on; tests in them don't count. */
  readonly inputs: readonly string[];
  /** Files and folders that it writes. */
  readonly outputs: readonly string[];
  /** Which files of `outputs` are its own, where it shares a folder with what is written by hand. */
  readonly owns?: (path: string) => boolean;
};
