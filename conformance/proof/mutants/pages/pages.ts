import type { Socket } from "node:net";
import type { HostedBrowser } from "../../../../server/test/interface.ts";
import { toObject } from "../../../src/target/json.ts";
import { type Fault, type Mutant, pageMutant } from "../../mutant.ts";
import { command, onHosted, onLaterClient, onSwitches } from "../../faults/hosts.ts";
import { understandAs } from "../../faults/open-options.ts";
import { instead, onBrowser } from "../../faults/use-cases.ts";

/** Changes the sockets that connect clients to browsers. */
function onSocket(change: (socket: Socket) => void): Fault {
  return onBrowser((browser) => ({
    async connect(signal) {
      const socket = await browser.connect(signal);
      change(socket);
      return socket;
    },
  }));
}

/** Faults in pages and cookies, and in what pages can detect about automation and arguments. */
export const PAGE_MUTANTS: readonly Mutant[] = [
  pageMutant("pages-gone-after-reconnect", ["RBS-CONNECT-08"], "Pages are lost when a client reconnects", () =>
    onLaterClient((browser, signal) =>
      command(browser, signal, async (devtools) => {
        const outcome = await devtools.command("Target.getTargets");
        const targets = "result" in outcome ? outcome.result["targetInfos"] : undefined;
        const pages = (Array.isArray(targets) ? targets.map(toObject) : []).filter(({ type }) => type === "page");
        // A browser without any pages would exit.
        await devtools.command("Target.createTarget", { url: "about:blank" });
        for (const { targetId } of pages) await devtools.command("Target.closeTarget", { targetId });
      }),
    ),
  ),
  pageMutant("cookies-gone-after-reconnect", ["RBS-CONNECT-08"], "Cookies are lost when a client reconnects", () =>
    onLaterClient((browser, signal) =>
      command(browser, signal, async (devtools) => void (await devtools.command("Storage.clearCookies"))),
    ),
  ),
  pageMutant("browsers-share-one-process", ["RBS-ISO-04"], "All headless browsers share pages and cookies", () => {
    let one: Promise<HostedBrowser> | undefined;
    return {
      host: (host) =>
        instead(host, {
          async launch(spec, signal) {
            if (!spec.isHeadless) return host.launch(spec, signal);
            one ??= host.launch(spec, signal);
            const browser = await one;
            void browser.gone.then(() => (one = undefined));
            // The shared browser closes when the server stops.
            return instead(browser, { id: spec.id, async [Symbol.asyncDispose]() {} });
          },
        }),
    };
  }),
  pageMutant("devtools-short-answers", ["RBS-CONNECT-10"], "A connection that has received 1 MiB is closed", () =>
    onSocket((socket) => {
      const push = socket.push.bind(socket);
      socket.push = (chunk: unknown, encoding) => {
        if (socket.bytesRead <= 2 ** 20) return push(chunk, encoding);
        socket.destroy();
        return false;
      };
    }),
  ),
  pageMutant("devtools-short-commands", ["RBS-CONNECT-10"], "A connection that has sent 1 MiB is closed", () =>
    onSocket((socket) => {
      const check = setInterval(() => {
        if (socket.bytesWritten > 2 ** 20) socket.destroy();
      }, 1);
      socket.once("close", () => clearInterval(check));
    }),
  ),
  pageMutant(
    "proxy-ignored",
    ["RBS-PROXY-10", "RBS-SITE-03"],
    "Open accepts a proxy, and the browser doesn't use it",
    () => understandAs((options) => ({ ...options, Proxy: null })),
  ),
  pageMutant("proxy-without-user", ["RBS-SITE-03"], "A browser doesn't send the proxy's user name and password", () =>
    understandAs(({ Proxy: proxy, ...options }) => ({
      ...options,
      Proxy: proxy && { ...proxy, Username: null, Password: null },
    })),
  ),
  pageMutant("close-without-end", ["RBS-SITE-01", "RBS-SITE-02"], "A browser keeps running after its end", () =>
    // The browsers close when the server stops.
    onHosted(() => ({ async [Symbol.asyncDispose]() {} })),
  ),
  pageMutant("arguments-lose", ["RBS-OPEN-13"], "Default arguments override the request's arguments", () =>
    onSwitches((switches) => switches.filter((each) => !each.startsWith("--window-size="))),
  ),
  pageMutant("arguments-lost", ["RBS-OPEN-27"], "The browser doesn't receive the argument --user-agent", () =>
    onSwitches((switches) => switches.filter((each) => !each.startsWith("--user-agent="))),
  ),
  pageMutant("stealth-off-by-default", ["RBS-STEALTH-01", "RBS-STEALTH-02"], "Stealth is off by default", () =>
    understandAs((options) => ({ Stealth: false, ...options })),
  ),
  pageMutant("stealth-automation-switch", ["RBS-STEALTH-01"], "Stealth browsers run with an automation switch", () =>
    onSwitches((switches) => [...switches, "--enable-automation"]),
  ),
  pageMutant("stealth-headless-agent", ["RBS-STEALTH-02"], "With Stealth, the user agent contains Headless", () =>
    onSwitches((switches) => [
      ...switches,
      "--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
    ]),
  ),
];
