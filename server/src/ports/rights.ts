/** The root privileges of a process started by root, until the process drops them. */
export interface Rights {
  /** Runs one step as root. Before and after the step, the process runs as its own user. */
  asRoot<T>(step: () => T | Promise<T>): Promise<T>;
  /** Drops all root privileges permanently, in every thread. @throws {Error} If the process could regain them. */
  giveUp(): void;
}

/** For processes that have only their own user's privileges. */
export const ordinaryRights: Rights = {
  asRoot: async (step) => step(),
  giveUp() {},
};
