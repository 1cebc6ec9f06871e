import { readEmail } from "../../domain/account/email.ts";
import { findPasswordFault } from "../../domain/account/password.ts";
import { AccountError } from "./account-error.ts";

/** What is wrong with what somebody entered, and where. */
export type EntryFault = { readonly field: "email" | "password"; readonly message: string };

/** What is wrong with an e-mail and a password for an account; undefined: nothing. No account is looked at for it. */
export function findEntryFault(email: string, password: string): EntryFault | undefined {
  const address = readEmail(email);
  if (address === undefined) return { field: "email", message: noEmail(email) };
  const message = findPasswordFault(password, address);
  return message === undefined ? undefined : { field: "password", message };
}

/** @throws {AccountError} For a text that is no e-mail address. */
export function readEmailOrRefuse(text: string): string {
  const email = readEmail(text);
  if (email !== undefined) return email;
  throw new AccountError(noEmail(text));
}

/** @throws {AccountError} For a password that is easily guessed. */
export function refuseWeak(password: string, email: string): void {
  const fault = findPasswordFault(password, email);
  if (fault !== undefined) throw new AccountError(fault);
}

function noEmail(text: string): string {
  return `${JSON.stringify(text)} is not an e-mail address.`;
}
