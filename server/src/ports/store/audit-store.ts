export type ActName =
  | "created"
  | "terms"
  | "disabled"
  | "enabled"
  | "rights given"
  | "rights taken"
  | "password"
  | "token"
  | "deleted"
  | "browser closed"
  | "server cordoned"
  | "server draining"
  | "server active"
  | "server removed";

/** What an operator has done, without personal data and secrets. */
export type Act = {
  /** Sorts by the time. */
  readonly id: string;
  readonly at: Date;
  /** The id of the operator's account, or `COMMAND_LINE`. */
  readonly actor: string;
  readonly act: ActName;
  /** The id of the account or server that it changed. */
  readonly subject: string;
  /** What was set. */
  readonly details: Readonly<Record<string, string | number | boolean | null | undefined>>;
};

/** The actor of commands. They don't know who runs them. */
export const COMMAND_LINE = "command line";

/** The acts of operators, which are kept as long as the database. */
export interface AuditStore {
  add(act: Act): Promise<void>;
  /**
   * Newest first.
   * @param wanted.subject Undefined: all accounts and servers.
   * @param wanted.before The id of an act; undefined: begins with the newest.
   */
  list(wanted: {
    readonly subject: string | undefined;
    readonly before?: string | undefined;
    readonly limit?: number;
  }): Promise<Act[]>;
}
