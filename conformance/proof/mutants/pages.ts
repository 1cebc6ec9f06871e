import type { HostedBrowser } from "../../../server/test/interface.ts";
import { toObject } from "../../src/target/json.ts";
import type { Mutant } from "../mutant.ts";
import { command, onLaterClient, onSwitches } from "./hosts.ts";
import { understandAs } from "./open-options.ts";
import { instead } from "./use-cases.ts";

/** Pages and cookies of browsers, and what pages see of automation and of arguments. */
export const PAGE_MUTANTS: readonly Mutant[] = [
  {
    id: "pages-gone-after-reconnect",
    title: "A browser closes its pages when its clients have disconnected",
    killedBy: ["RBS-CONNECT-08"],
    browsers: "real",
    fault: () =>
      onLaterClient((browser, signal) =>
        command(browser, signal, async (devtools) => {
          const outcome = await devtools.command("Target.getTargets");
          const targets = "result" in outcome ? outcome.result["targetInfos"] : undefined;
          const pages = (Array.isArray(targets) ? targets.map(toObject) : []).filter(({ type }) => type === "page");
          // A browser without any page would exit.
          await devtools.command("Target.createTarget", { url: "about:blank" });
          for (const { targetId } of pages) await devtools.command("Target.closeTarget", { targetId });
        }),
      ),
  },
  {
    id: "cookies-gone-after-reconnect",
    title: "A browser deletes its cookies when its clients have disconnected",
    killedBy: ["RBS-CONNECT-08"],
    browsers: "real",
    fault: () =>
      onLaterClient((browser, signal) =>
        command(browser, signal, async (devtools) => void (await devtools.command("Storage.clearCookies"))),
      ),
  },
  {
    id: "browsers-share-one-process",
    title: "All headless browsers are the same browser, with the same pages and cookies",
    killedBy: ["RBS-ISO-04"],
    browsers: "real",
    fault: () => {
      let one: Promise<HostedBrowser> | undefined;
      return {
        host: (host) =>
          instead(host, {
            async launch(spec, signal) {
              if (!spec.isHeadless) return host.launch(spec, signal);
              one ??= host.launch(spec, signal);
              const browser = await one;
              void browser.gone.then(() => (one = undefined));
              // It ends with the server.
              return instead(browser, { id: spec.id, async [Symbol.asyncDispose]() {} });
            },
          }),
      };
    },
  },
  {
    id: "arguments-lose",
    title: "A default argument replaces an argument of the request that is the same switch",
    killedBy: ["RBS-OPEN-13"],
    browsers: "real",
    fault: () => onSwitches((switches) => switches.filter((each) => !each.startsWith("--window-size="))),
  },
  {
    id: "stealth-off-by-default",
    title: "Browsers only hide automation when Stealth is true",
    killedBy: ["RBS-STEALTH-01", "RBS-STEALTH-02"],
    browsers: "real",
    fault: () => understandAs((options) => ({ Stealth: false, ...options })),
  },
  {
    id: "stealth-automation-switch",
    title: "Browsers that hide automation have an automation switch",
    killedBy: ["RBS-STEALTH-01"],
    browsers: "real",
    fault: () => onSwitches((switches) => [...switches, "--enable-automation"]),
  },
  {
    id: "stealth-headless-agent",
    title: "The user agent of browsers that hide automation says that they are headless",
    killedBy: ["RBS-STEALTH-02"],
    browsers: "real",
    fault: () =>
      onSwitches((switches) => [
        ...switches,
        "--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
      ]),
  },
];
