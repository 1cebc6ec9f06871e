/** What a process that root has started may still do as root, until it gives that up. */
export interface Rights {
  /** Runs one step as root. The process acts as its own user before and after it. */
  asRoot<T>(step: () => T | Promise<T>): Promise<T>;
  /**
   * Ends all rights of root for good, in every thread.
   * @throws {Error} If the kernel still gives them back.
   */
  giveUp(): void;
}

/** For a process that has no more rights than its user. */
export const ordinaryRights: Rights = {
  asRoot: async (step) => step(),
  giveUp() {},
};
