import { expectSuccess, expectThat } from "../session/expect.ts";
import type { Account } from "../session/account.ts";
import { Violation } from "../target/violation.ts";
import { NoAnswer } from "../target/no-answer.ts";
import { connectViewer, type Viewer } from "../target/rfb.ts";
import { NotRfb } from "../target/rfb-handshake.ts";

/** Maximum time for viewers to be disconnected, including network delays. */
export const CUT_MS = 5000;

/** URLs and passwords of a desktop. */
export type DesktopAccess = {
  readonly password: string;
  readonly viewPassword: string;
  readonly url: string;
  readonly rfbUrl: string;
};

/** Starts a browser's desktop. */
export async function start(account: Account, address: string): Promise<DesktopAccess> {
  return toAccess(expectSuccess(await account.startDesktop(address)));
}

export function toAccess({ password, viewPassword, url, rfbUrl }: Record<string, unknown>): DesktopAccess {
  const isWhole = [password, viewPassword, url, rfbUrl].every((each) => typeof each === "string");
  expectThat(isWhole, "password, viewPassword, url and rfbUrl as strings", "a value that is not a string");
  return { password: String(password), viewPassword: String(viewPassword), url: String(url), rfbUrl: String(rfbUrl) };
}

/** Whether two desktop starts share any password. */
export function sharePassword(one: DesktopAccess, other: DesktopAccess): boolean {
  return [one.password, one.viewPassword].some((each) => [other.password, other.viewPassword].includes(each));
}

/** @param which Names the password: "`viewPassword`". */
export async function expectViewerAdmitted(rfbUrl: string, password: string, which: string): Promise<Viewer> {
  try {
    return await connectViewer(rfbUrl, password);
  } catch (error) {
    if (!(error instanceof NoAnswer) || !error.isReached) throw error;
    throw new Violation({ expected: `${which} to be accepted at rfbUrl`, seen: error.message });
  }
}

/** Connects and disconnects a viewer, to show that later rejections are caused by the password. */
export async function connectBriefly({ rfbUrl, password }: DesktopAccess): Promise<void> {
  await using _ = await expectViewerAdmitted(rfbUrl, password, "`password`");
}

/**
 * Expects any kind of rejection. Only meaningful if the desktop accepts viewers before or after this call.
 * @param expected For the error message, such as "a wrong password to be rejected".
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
  throw new Violation({ expected, seen: "an accepted viewer" });
}
