/** The root privileges of a process started by root, until the process drops them. */
export interface Rights {
  /** Runs one step as root. Otherwise, the process runs as its own user. */
  asRoot<T>(step: () => T | Promise<T>): Promise<T>;
  /** Permanently drops all threads' root privileges. @throws {Error} If the process could regain root privileges. */
  giveUp(): void;
}

/** For processes that have only their own user's privileges. */
export const ordinaryRights: Rights = {
  asRoot: async (step) => step(),
  giveUp() {},
};
