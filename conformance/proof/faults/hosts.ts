import type { BrowserSpec, HostedBrowser } from "../../../server/test/interface.ts";
import { connectDevtools, type Devtools } from "../../src/target/devtools.ts";
import type { Fault } from "../mutant.ts";
import { instead } from "./use-cases.ts";

/** Alters the switches that options add to a browser's command line. */
export function onSwitches(alter: (switches: readonly string[]) => readonly string[]): Fault {
  return {
    host: (host) =>
      instead(host, {
        launch: (spec, signal) => host.launch({ ...spec, switches: alter(spec.switches) }, signal),
      }),
  };
}

/** Changes browsers after they have started. */
export function onHosted(change: (browser: HostedBrowser, spec: BrowserSpec) => Partial<HostedBrowser>): Fault {
  return {
    host: (host) =>
      instead(host, {
        async launch(spec, signal) {
          const browser = await host.launch(spec, signal);
          return instead(browser, change(browser, spec));
        },
      }),
  };
}

/** Performs an action on a browser each time a client connects, except for the first client. */
export function onLaterClient(happen: (browser: HostedBrowser, signal: AbortSignal) => Promise<void>): Fault {
  return onHosted((browser) => {
    let isFirst = true;
    return {
      async connect(signal) {
        if (!isFirst) await happen(browser, signal);
        isFirst = false;
        return await browser.connect(signal);
      },
    };
  });
}

/** Sends DevTools commands to a browser, bypassing the server's gateway. */
export async function command(
  browser: HostedBrowser,
  signal: AbortSignal,
  work: (devtools: Devtools) => Promise<void>,
): Promise<void> {
  const socket = await browser.connect(signal);
  const address = `ws://127.0.0.1${browser.devtoolsPath}`;
  await using devtools = await connectDevtools(address, { createConnection: () => socket });
  await work(devtools);
}
