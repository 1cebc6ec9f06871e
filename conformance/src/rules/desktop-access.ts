import { expectSuccess, expectThat } from "../run/expect.ts";
import type { Account } from "../run/account.ts";
import { Violation } from "../registry/violation.ts";
import { NoAnswer } from "../target/no-answer.ts";
import { connectViewer, type Viewer } from "../target/rfb.ts";
import { NotRfb } from "../target/rfb-handshake.ts";

/** Ends are seen late by those who are far away. */
export const CUT_MS = 5000;

/** The ways to a desktop that is started. */
export type DesktopAccess = {
  readonly password: string;
  readonly viewPassword: string;
  readonly url: string;
  readonly rfbUrl: string;
};

/** Starts the desktop of a browser. */
export async function start(account: Account, address: string): Promise<DesktopAccess> {
  return toAccess(expectSuccess(await account.startDesktop(address)));
}

export function toAccess({ password, viewPassword, url, rfbUrl }: Record<string, unknown>): DesktopAccess {
  const are = [password, viewPassword, url, rfbUrl].every((each) => typeof each === "string");
  expectThat(are, "password, viewPassword, url and rfbUrl as strings", "that one of them is missing or something else");
  return { password: String(password), viewPassword: String(viewPassword), url: String(url), rfbUrl: String(rfbUrl) };
}

/** @param which Names the password, as in "`viewPassword`". */
export async function expectViewerAdmitted(rfbUrl: string, password: string, which: string): Promise<Viewer> {
  try {
    return await connectViewer(rfbUrl, password);
  } catch (error) {
    if (!(error instanceof NoAnswer) || !error.isReached) throw error;
    throw new Violation({ expected: `${which} to let a viewer in at rfbUrl`, seen: error.message });
  }
}

/** Lets a viewer in and leaves again: after that, one who doesn't get in is kept out. */
export async function connectBriefly({ rfbUrl, password }: DesktopAccess): Promise<void> {
  await using _ = await expectViewerAdmitted(rfbUrl, password, "`password`");
}

/**
 * For a desktop that a viewer gets into, before or afterwards: then it does not matter how another one is kept out.
 * @param expected As for a complaint: "a wrong password to be refused".
 */
export async function expectViewerRefused(rfbUrl: string, password: string, expected: string): Promise<void> {
  let viewer: Viewer;
  try {
    viewer = await connectViewer(rfbUrl, password);
  } catch (error) {
    if (error instanceof NoAnswer && !(error instanceof NotRfb)) return;
    throw error;
  }
  await viewer[Symbol.asyncDispose]();
  throw new Violation({ expected, seen: "that it lets a viewer in" });
}
