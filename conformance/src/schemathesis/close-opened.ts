import { Account } from "../session/account.ts";
import type { Session } from "../session/session.ts";
import { Undecidable } from "../target/violation.ts";
import { NoAnswer } from "../target/no-answer.ts";
import type { ToolReport } from "./tool-report.ts";

/** Lists the addresses of all opened browsers, including closed browsers. */
export function toOpened({ notes }: ToolReport): readonly string[] {
  return notes.flatMap((note) => ("opened" in note ? [note.opened] : []));
}

/** Closes browsers that the run left open. The tool's notes may be incomplete, so also checks Get's list. */
export async function closeOpened(session: Session, report: ToolReport): Promise<void> {
  const { labelPrefix, token } = session.options;
  const account = new Account(session, session.newTarget(), token);
  const closed = new Set(report.notes.flatMap((note) => ("closed" in note ? [note.closed] : [])));
  const noted = toOpened(report).filter((address) => !closed.has(address) && !session.isForeign(address));
  const close = async (addresses: readonly string[]): Promise<void> => {
    for (const address of addresses) await account.close(address);
  };
  try {
    await close(noted);
    const listed = await account.listBrowsers();
    const ours = listed.filter(({ label }) => typeof label === "string" && label.startsWith(`${labelPrefix}-fuzz`));
    await close(ours.map(({ address }) => address));
  } catch (error) {
    // Rules already report deployment errors. Browsers that remain open close after their KeepOpen period.
    if (!(error instanceof NoAnswer || error instanceof Undecidable)) throw error;
  }
}
