import { COMMON_PASSWORDS } from "./common-passwords.ts";

/** Letters, digits and signs as people count them: an emoji is one. */
const MIN_LENGTH = 12;
const MAX_LENGTH = 200;

/**
 * The one form of a password that looks the same however a keyboard wrote it: é as one character or as two.
 * @param password At most a few thousand characters; the caller sees to that.
 */
export function toComparable(password: string): string {
  return password.normalize("NFKC");
}

/**
 * Why a password can't be chosen, said for people; undefined when it can.
 * @param email Of the account that it is for.
 */
export function findPasswordFault(password: string, email: string): string | undefined {
  const letters = Array.from(toComparable(password));
  if (letters.length < MIN_LENGTH)
    return `The password has ${letters.length} characters; it needs ${MIN_LENGTH} or more.`;
  if (letters.length > MAX_LENGTH) return `The password has ${letters.length} characters; ${MAX_LENGTH} is the most.`;
  const folded = fold(password);
  if (isFromEmail(folded, fold(email))) return "The password is made of the e-mail address: choose another one.";
  const codes = Array.from(folded, (letter) => letter.codePointAt(0) ?? 0);
  if (isRun(codes, 0)) return "The password is one character over and over: choose another one.";
  if (isRun(codes, 1) || isRun(codes, -1))
    return "The password is a plain run, such as 123456 or abcdef: choose another one.";
  if (COMMON_PASSWORDS.has(folded)) return "The password is one of those that are guessed first: choose another one.";
  return undefined;
}

function fold(text: string): string {
  return toComparable(text).toLowerCase();
}

function isFromEmail(password: string, email: string): boolean {
  if (email === "") return false;
  const [local] = email.split("@");
  return password === local || password.includes(email);
}

/** Whether each code point is `step` after the one before it; 0 follows 9, as on a keyboard. */
function isRun(codes: readonly number[], step: -1 | 0 | 1): boolean {
  return codes.every((code, index) => {
    const before = index === 0 ? code - step : (codes[index - 1] ?? 0);
    return (
      code === before + step || (step !== 0 && isDigit(code) && isDigit(before) && (code - before - step) % 10 === 0)
    );
  });
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
