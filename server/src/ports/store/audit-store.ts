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

/** An operator's action, without personal data or secrets. */
export type Act = {
  /** Sorts by time. */
  readonly id: string;
  readonly at: Date;
  /** The id of the operator's account, or `COMMAND_LINE`. */
  readonly actor: string;
  readonly act: ActName;
  readonly subject: string;
  readonly details: Readonly<Record<string, string | number | boolean | null | undefined>>;
};

/** The actor for commands, which can't identify the person who runs them. */
export const COMMAND_LINE = "command line";

/** Operators' actions, which are never deleted. */
export interface AuditStore {
  add(act: Act): Promise<void>;
  /**
   * Lists actions, newest first.
   * @param wanted.subject Undefined: all accounts and servers.
   * @param wanted.before The id of an action; undefined: start with the newest action.
   */
  list(wanted: {
    readonly subject: string | undefined;
    readonly before?: string | undefined;
    readonly limit?: number;
  }): Promise<Act[]>;
}
