import { INFO, schema } from "../pointers.ts";
import { unusedAddress } from "../../target/addresses.ts";
import { scenarios } from "../rule.ts";
import { expectEqual, expectRefusal, expectThat, show } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import { CHROMIUM } from "./open-kinds.ts";
import { openNamed, update } from "../../scenario/records.ts";
import { expectAccepted, expectOpened, expectRefused, ownOptions } from "../../scenario/opening.ts";

/** Unsets the options from `ownOptions`. */
const NONE = { Label: undefined, KeepOpen: undefined, Headless: undefined };

const PROXY = { Host: "proxy.invalid", Port: "3128" };

/** An invalid value for each camelCase option. */
const WRONG = {
  args: "--lang=de-DE",
  ignoredDefaultArgs: "--mute-audio",
  headless: "true",
  stealth: "true",
  browser: 1,
  keepOpen: "60",
  proxy: "proxy.invalid",
  label: 1,
} as const;

/** Two different values for each option. */
const DIFFERING: readonly (readonly [name: string, alias: string, one: unknown, other: unknown])[] = [
  ["Args", "args", ["--lang=de-DE"], ["--lang=fr-FR"]],
  ["IgnoredDefaultArgs", "ignoredDefaultArgs", [], ["--mute-audio"]],
  ["Headless", "headless", true, false],
  ["Stealth", "stealth", true, false],
  ["Browser", "browser", 2, 3],
  ["KeepOpen", "keepOpen", 60, 61],
  ["Proxy", "proxy", PROXY, { ...PROXY, Port: "3129" }],
];

/** Options have two spellings; all other members have one. */
export const SPELLING_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-SPELL-01",
    level: "required",
    at: INFO,
    sentence: "Each has a camelCase form as well, which `x-alias` names, and the service accepts both",
    opens: 1,
    async check(run) {
      const { Label, KeepOpen, Headless } = ownOptions(run);
      const browser = run.lightest.Browser ?? CHROMIUM;
      const plain = { label: Label, keepOpen: KeepOpen, headless: Headless, stealth: true, browser, proxy: null };
      const options = { ...plain, args: ["--lang=de-DE"], ignoredDefaultArgs: ["--mute-audio"] };
      await expectLabel(run, await expectAccepted(run, { ...NONE, ...options }), Label);
      // A server that doesn't recognize an option ignores it and accepts an invalid value.
      for (const [alias, value] of Object.entries(WRONG)) await expectMistakeReported(run, alias, value);
    },
  },
  {
    id: "RBS-SPELL-02",
    capability: "proxy",
    at: schema("Proxy"),
    sentence: "Each member has a second, camelCase spelling, named by `x-alias`.",
    opens: 1,
    isDetail: true,
    async check(run) {
      const proxy = { host: "proxy.invalid", port: "3128" };
      await expectAccepted(run, { Proxy: { ...proxy, username: "traveller", password: "correct horse" } });
      await expectRefused(run, { Proxy: { ...proxy, host: "" } });
      await expectRefused(run, { Proxy: { ...proxy, port: "0" } });
      await expectRefused(run, { Proxy: { ...proxy, username: 1 } });
      await expectRefused(run, { Proxy: { ...proxy, username: "traveller", password: 1 } });
    },
  },
  {
    id: "RBS-SPELL-03",
    at: INFO,
    sentence: "the service accepts both, at either level and mixed in one request.",
    opens: 1,
    isDetail: true,
    async check(run) {
      const { Label, ...others } = { ...ownOptions(run), ...run.lightest };
      const mixed = { ...others, label: Label, proxy: { Host: "proxy.invalid", port: "3128" }, Stealth: true };
      await expectLabel(run, await expectAccepted(run, { Label: undefined, ...mixed }), Label);
    },
  },
  {
    id: "RBS-SPELL-04",
    at: INFO,
    sentence: "You may send an option in both forms if the values are the same",
    opens: 1,
    isDetail: true,
    async check(run) {
      const { Label, KeepOpen, Headless } = ownOptions(run);
      const Args = ["--lang=de-DE"];
      const twice = { label: null, keepOpen: KeepOpen, headless: Headless, Args, args: Args };
      const proxies = { Proxy: { ...PROXY, host: PROXY.Host }, proxy: { ...PROXY, host: PROXY.Host } };
      const options = { ...run.lightest, Label, KeepOpen, Headless, ...twice, ...proxies };
      await expectLabel(run, await expectOpened(() => run.main.open(options)), Label);
    },
  },
  {
    id: "RBS-SPELL-05",
    at: INFO,
    sentence: "if they differ, the response is a `BadRequest`.",
    covers: ["openBrowser 400"],
    async check(run) {
      for (const [name, alias, one, other] of DIFFERING) {
        await expectConflict(run, { [name]: one, [alias]: other }, [`/${name}`, `/${alias}`]);
        await expectConflict(run, { [name]: other, [alias]: one }, [`/${name}`, `/${alias}`]);
      }
      const { Label } = ownOptions(run);
      await expectConflict(run, { Label, label: `${Label}-b` }, ["/Label", "/label"]);
      const Proxy = { ...PROXY, port: "3129" };
      await expectConflict(run, { Proxy }, ["/Proxy/Port", "/Proxy/port"]);
    },
  },
  {
    id: "RBS-SPELL-06",
    at: schema("BadRequestProblem", "path"),
    sentence: "Where it is wrong: a JSON Pointer (RFC 6901) into the request, in the spelling that the request used.",
    covers: ["openBrowser 400"],
    async check(run) {
      for (const [alias, value] of Object.entries(WRONG)) await expectMistakeReported(run, alias, value, `/${alias}`);
      await expectMistakeReported(run, "args", ["--lang=de-DE", 1], "/args/1");
      const port = 3128;
      await expectMistakeReported(run, "proxy", { host: "proxy.invalid", port }, "/proxy/port");
      await expectMistakeReported(run, "proxy", { Host: "proxy.invalid", Port: port }, "/proxy/Port");
      await expectMistakeReported(run, "Proxy", { host: "proxy.invalid", port }, "/Proxy/port");
    },
  },
  {
    id: "RBS-SPELL-07",
    at: INFO,
    sentence: "All other members, in requests and in responses, are written in camelCase, and exist in this form only.",
    covers: ["closeBrowser 400", "startRemoteDesktop 400", "stopRemoteDesktop 400", "queryAi 400"],
    opens: 1,
    async check(run) {
      const { main } = run;
      for (const id of ["closeBrowser", "startRemoteDesktop", "stopRemoteDesktop"] as const) {
        for (const name of ["Address", "ADDRESS"]) {
          expectRefusal(await main.call(id, { [name]: unusedAddress() }), "BadRequest", "/address");
        }
      }
      const query = { Html: "<p>Kettle</p>", Prompt: "What is being sold?" };
      expectRefusal(await main.query(query), "BadRequest", "/html", "/prompt");
      // These are unknown members, not spellings of options, so they may have any value.
      const unknown = { HEADLESS: "no", keepopen: "long", keep_open: -1, LABEL: 1, "proxy.host": 1 };
      await expectAccepted(run, { ...run.lightest, ...unknown });
    },
  },
  {
    id: "RBS-SPELL-08",
    since: "1.1",
    at: schema("UpdateRequest"),
    sentence: "Each value has a second, PascalCase spelling, named by `x-alias`.",
    covers: ["updateBrowser 200", "updateBrowser 400"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const { main } = run;
      const { address } = await openNamed(run);
      const Label = run.newLabel();
      const updated = await update(main, { address }, { Label, KeepOpen: 70, Tags: ["both"] });
      for (const [name, value] of Object.entries({ label: Label, keepOpen: 70, tags: ["both"] }))
        expectEqual(`${name} after Update`, updated[name], value);
      for (const [name, value] of Object.entries({ Label: 1, KeepOpen: "70", Lifetime: -1, Tags: "both" }))
        expectRefusal(await main.call("updateBrowser", { address, [name]: value }), "BadRequest", `/${name}`);
    },
  },
]);

/** @throws {Violation} Unless the service rejects an invalid value under this spelling of an option. */
async function expectMistakeReported(
  run: Run,
  name: string,
  value: unknown,
  ...places: readonly string[]
): Promise<void> {
  const other = Object.keys(NONE).filter((option) => option.toLowerCase() === name.toLowerCase());
  const without = Object.fromEntries(other.map((option) => [option, undefined]));
  await expectRefused(run, { ...without, [name]: value }, ...places);
}

/**
 * @throws {Violation} If the options aren't rejected. @param places JSON Pointers, one of which the response must name.
 */
async function expectConflict(run: Run, options: object, places: readonly string[]): Promise<void> {
  const exchange = await run.main.open({ ...ownOptions(run), ...options });
  const { errors } = expectRefusal(exchange, "BadRequest");
  const named = errors.map(({ path }) => path);
  const isNamed = places.some((place) => named.includes(place));
  expectThat(isNamed, `a BadRequest whose errors name ${places.join(" or ")}`, `errors for ${show(named)}`);
}

async function expectLabel({ main }: Run, address: string, label: string): Promise<void> {
  expectEqual("the label in the list", (await main.find(address))?.label, label);
}
