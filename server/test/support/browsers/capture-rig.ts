import type { Account } from "../../../src/domain/account/account.ts";
import type { HostedBrowser } from "../../../src/ports/browser-host.ts";
import type { Picture } from "../../../src/ports/display.ts";
import type { OpenBrowser } from "../../../src/services/browsers/open-browser.ts";
import { settled } from "../../fakes/fake-clock.ts";
import { type Rig, newRig } from "../servers/services-rig.ts";

/** A capture that lasts until the test ends it. */
export type Capture = {
  readonly signal: AbortSignal;
  readonly ends: (picture: Picture) => void;
  readonly fails: (error: Error) => void;
};

export type CaptureRig = {
  readonly rig: Rig;
  readonly account: Account;
  readonly browser: OpenBrowser;
  /** All captures, oldest first. */
  readonly captures: readonly Capture[];
  /** Closes the account's browsers. */
  closeBrowsers(): Promise<void>;
};

/**
 * Creates an account with a browser. The browser's captures start when `take` is called and last until the test ends
 * them.
 */
export async function newCaptureRig(take: "takeScreenshot" | "takeThumbnail"): Promise<CaptureRig> {
  const captures: Capture[] = [];
  const capture = (signal: AbortSignal): Promise<Picture> => {
    const { promise, resolve, reject } = Promise.withResolvers<Picture>();
    signal.addEventListener("abort", () => reject(signal.reason));
    if (signal.aborted) reject(signal.reason);
    captures.push({ signal, ends: resolve, fails: reject });
    return promise;
  };
  const rig = await newRig({
    host: (fake) => ({
      kinds: fake.kinds,
      async launch(spec, signal): Promise<HostedBrowser> {
        return Object.assign(await fake.launch(spec, signal), { [take]: capture });
      },
      [Symbol.asyncDispose]: async () => {},
    }),
  });
  const account = await rig.account();
  const browser = await rig.open(account, { keepOpenMs: 60_000 });
  return {
    rig,
    account,
    browser,
    captures,
    async closeBrowsers() {
      await Promise.all(rig.localBrowsers.list(account).map((one) => one.close("requested")));
      await settled();
    },
  };
}
