import { isDeepStrictEqual } from "node:util";
import { type Answer, describeAnswer } from "./answer.ts";
import type { KnownBrowser, Mismatch, Passwords } from "./model.ts";

/** Holds the answer to Start or Stop against what is known of the browser. */
export function judgeDesktop(verb: "start" | "stop", known: KnownBrowser, answer: Answer): KnownBrowser | Mismatch {
  const seen = describeAnswer(answer);
  if (known.state !== "open" && seen === "404 BrowserNotFound") return known;
  if (known.state === "closed") return { expected: "404 BrowserNotFound", seen };
  if (verb === "start" && !known.isGraphical) {
    return seen === "409 DesktopUnavailable" ? known : { expected: "409 DesktopUnavailable, as it is headless", seen };
  }
  if (answer.kind !== "answered" || answer.status !== 200) return { expected: "200", seen };
  if (verb === "stop") return stopped(known);
  const passwords = { full: answer.body["password"], viewOnly: answer.body["viewPassword"] };
  // While it closes its desktop may have stopped already, so that this would be another start.
  if (known.state === "closing") return known;
  return known.desktop === undefined ? started(known, passwords) : repeated(known, known.desktop, passwords);
}

/** A password lets in while the desktop is started that it belongs to, and never again. */
export function judgeViewer(known: KnownBrowser, answer: Answer): KnownBrowser | Mismatch {
  const seen = describeAnswer(answer);
  if (answer.kind !== "watched") return { expected: "the viewer to be let in, or not", seen };
  if (known.state === "closing") return known;
  const isWelcome = known.state === "open" && known.desktop?.full === answer.password;
  if (answer.isIn === isWelcome) return known;
  return { expected: `the viewer ${isWelcome ? "" : "not "}to be let in with the last password`, seen };
}

function stopped(known: KnownBrowser): KnownBrowser {
  if (known.desktop === undefined) return known;
  const { full, viewOnly } = known.desktop;
  return { ...known, desktop: undefined, oldPasswords: [...known.oldPasswords, full, viewOnly] };
}

function started(known: KnownBrowser, passwords: Passwords): KnownBrowser | Mismatch {
  const { full, viewOnly } = passwords;
  if (typeof full !== "string" || typeof viewOnly !== "string" || full === viewOnly) {
    return { expected: "two different passwords", seen: full === viewOnly ? "the same one twice" : "no two passwords" };
  }
  const isReused = [full, viewOnly].some((word) => known.oldPasswords.includes(word));
  if (isReused) return { expected: "new passwords at every start", seen: "a password of an earlier start" };
  return { ...known, desktop: passwords };
}

function repeated(known: KnownBrowser, before: Passwords, now: Passwords): KnownBrowser | Mismatch {
  if (isDeepStrictEqual(before, now)) return known;
  return { expected: "the same passwords, as the desktop is started already", seen: "other passwords" };
}
