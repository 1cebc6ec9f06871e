import { COMMON_PASSWORDS } from "./common-passwords.ts";

// Counted in code points, so that an emoji is one character.
const MIN_LENGTH = 12;
const MAX_LENGTH = 200;

/**
 * Normalizes a password, because keyboards produce é as either one or two characters.
 * @param password Limited to a few thousand characters by the caller.
 */
export function toComparable(password: string): string {
  return password.normalize("NFKC");
}

/** @returns A message that explains why the user can't choose this password; undefined if they can. */
export function findPasswordFault(password: string, email: string): string | undefined {
  const letters = Array.from(toComparable(password));
  if (letters.length < MIN_LENGTH) return `Use at least ${MIN_LENGTH} characters. This password has ${letters.length}.`;
  if (letters.length > MAX_LENGTH) return `Use up to ${MAX_LENGTH} characters. This password has ${letters.length}.`;
  const folded = fold(password);
  if (isFromEmail(folded, fold(email))) return "Choose a password that doesn't contain your email address.";
  const codes = Array.from(folded, (letter) => letter.codePointAt(0) ?? 0);
  if (isRun(codes, 0)) return "Choose a password that doesn't repeat a single character.";
  if (isRun(codes, 1) || isRun(codes, -1)) return "Choose a password that is not a sequence such as 123456 or abcdef.";
  if (COMMON_PASSWORDS.has(folded)) return "Choose another password. This one is among the most common.";
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

/** Whether each code point differs from its predecessor by `step`. 0 follows 9, as on a keyboard. */
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
