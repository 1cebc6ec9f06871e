import { isDeepStrictEqual } from "node:util";
import { type Answer, describeAnswer } from "./answer.ts";
import type { KnownBrowser, Mismatch, Passwords } from "./model.ts";

/** Checks the response to Start or Stop against the state of the browser. */
export function judgeDesktop(verb: "start" | "stop", known: KnownBrowser, answer: Answer): KnownBrowser | Mismatch {
  const seen = describeAnswer(answer);
  if (known.state !== "open" && seen === "404 BrowserNotFound") return known;
  if (known.state === "closed") return { expected: "404 BrowserNotFound", seen };
  if (verb === "start" && !known.isGraphical) {
    return seen === "409 DesktopUnavailable"
      ? known
      : { expected: "409 DesktopUnavailable, because the browser is headless", seen };
  }
  if (answer.kind !== "answered" || answer.status !== 200) return { expected: "200", seen };
  if (verb === "stop") return stopped(known);
  const passwords = { full: answer.body["password"], viewOnly: answer.body["viewPassword"] };
  // While a browser closes, its desktop may already have stopped, so this request may start the desktop again.
  if (known.state === "closing") return known;
  return known.desktop === undefined ? started(known, passwords) : repeated(known, known.desktop, passwords);
}

/** Checks whether a viewer was admitted. A password only works until the desktop stops. */
export function judgeViewer(known: KnownBrowser, answer: Answer): KnownBrowser | Mismatch {
  const seen = describeAnswer(answer);
  if (answer.kind !== "watched") return { expected: "the viewer to be accepted or rejected", seen };
  if (known.state === "closing") return known;
  const isWelcome = known.state === "open" && known.desktop?.full === answer.password;
  if (answer.isIn === isWelcome) return known;
  return { expected: `the viewer ${isWelcome ? "" : "not "}to be accepted with the latest password`, seen };
}

function stopped(known: KnownBrowser): KnownBrowser {
  if (known.desktop === undefined) return known;
  const { full, viewOnly } = known.desktop;
  return { ...known, desktop: undefined, oldPasswords: [...known.oldPasswords, full, viewOnly] };
}

function started(known: KnownBrowser, passwords: Passwords): KnownBrowser | Mismatch {
  const { full, viewOnly } = passwords;
  if (typeof full !== "string" || typeof viewOnly !== "string" || full === viewOnly) {
    return {
      expected: "two different passwords",
      seen: full === viewOnly ? "the same password twice" : "a response without both passwords",
    };
  }
  const isReused = [full, viewOnly].some((word) => known.oldPasswords.includes(word));
  if (isReused)
    return { expected: "new passwords each time the desktop starts", seen: "a password from an earlier start" };
  return { ...known, desktop: passwords };
}

function repeated(known: KnownBrowser, before: Passwords, now: Passwords): KnownBrowser | Mismatch {
  if (isDeepStrictEqual(before, now)) return known;
  return { expected: "the same passwords, because the desktop is already started", seen: "other passwords" };
}
