/** The root rights of a process that root has started, until the process gives them up. */
export interface Rights {
  /** Runs one step as root. The process acts as its own user before and after it. */
  asRoot<T>(step: () => T | Promise<T>): Promise<T>;
  /** Drops all root rights permanently, in every thread. @throws {Error} If the process could regain them. */
  giveUp(): void;
}

/** For processes that have only their user's rights. */
export const ordinaryRights: Rights = {
  asRoot: async (step) => step(),
  giveUp() {},
};
