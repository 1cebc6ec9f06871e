import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../failure.ts";
import { ACCEPTED, PROTECTING } from "./switch-table.ts";
import { REFUSED } from "./switch-table/refused.ts";
import { WITHOUT_EFFECT } from "./switch-table/without-effect.ts";
import { readIgnoredSwitches, readSwitches } from "./switches.ts";

const ACCEPTED_NAMES = ACCEPTED.flatMap(({ rows }) => rows).map(([name]) => name);
const INEFFECTIVE_NAMES = WITHOUT_EFFECT.flatMap(({ names }) => names);
const REFUSED_NAMES = REFUSED.flatMap(({ names }) => names);

function failureOf(read: () => unknown): Failure {
  try {
    read();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("Nothing was refused.");
}

test.each([
  "--renderer-cmd-prefix=/bin/sh",
  "--gpu-launcher=/bin/sh",
  "--utility-cmd-prefix=/bin/sh",
  "--browser-subprocess-path=/bin/sh",
  "--zygote-cmd-prefix=/bin/sh",
  "--ppapi-plugin-launcher=/bin/sh",
  "--a-new-cmd-prefix=/bin/sh",
  "--type=renderer",
  "--load-extension=/tmp/x",
  "--user-data-dir=/root",
  "--profile-directory=../x",
  "--disk-cache-dir=/x",
  "--a-new-dir=/x",
  "--log-file=/x",
  "--trace-startup=*",
  "--ssl-key-log-file=/x",
  "--log-net-log=/x",
  "--remote-debugging-port=9222",
  "--remote-debugging-pipe",
  "--remote-debugging-address=0.0.0.0",
  "--proxy-server=direct://",
  "--proxy-pac-url=data:x",
  "--proxy-bypass-list=*",
  "--no-proxy-server",
  "--host-resolver-rules=MAP * 127.0.0.1",
  "--host-rules=MAP * 127.0.0.1",
  "--enable-quic",
  "--wait-for-debugger",
  "--headless=new",
  "--display=:0",
  "--app=https://example.com/",
  "--screen-info={1280x800}",
  "--no-such-switch",
])("%s is refused by its name, and its value isn't quoted", (argument) => {
  const [name = "", value = "no value"] = argument.split("=");
  const { failure, message, errors } = failureOf(() => readSwitches(["--mute-audio", argument]));
  expect(failure).toBe("BadRequest");
  expect(message).toMatch(/^The argument .* is not allowed: .*[^.]\.$/);
  expect(message).toContain(name);
  expect(message).not.toContain(value);
  expect(errors).toEqual([{ path: "/1", message: message.slice("The argument ".length, -1) }]);
});

test("each refused argument is listed with its path and the reason", () => {
  const { message, errors } = failureOf(() => readSwitches(["--no-such", "--kiosk", "--gpu-launcher=x"]));
  expect(errors?.map(({ path }) => path)).toEqual(["/0", "/2"]);
  expect(message).toContain("--no-such is not allowed: this service's list of allowed switches doesn't contain it.");
  expect(message).toContain("--gpu-launcher is not allowed: it runs programs.");
});

test.each([
  ["https://example.com", "open pages over DevTools"],
  ["", "open pages over DevTools"],
  ["--", "open pages over DevTools"],
  ["-", "open pages over DevTools"],
  ["--=x", "open pages over DevTools"],
  ["-renderer-cmd-prefix=sh", "write it --renderer-cmd-prefix"],
  ["-no-sandbox", "write it --no-sandbox"],
  ["--Lang=de", "write it --lang"],
  ["--LANG=de", "write it --lang"],
  [" --gpu-launcher=sh", "write it --gpu-launcher"],
  ["---kiosk", "write it --kiosk"],
  ["--window_size=1,1", "write it --window-size"],
  ["--mute-audio\0--gpu-launcher=x", "open pages over DevTools"],
  ["--mute-audio\n", "write it --mute-audio"],
  ["--мute-audio", "open pages over DevTools"],
  ["--mute-audio=true", "takes no value"],
  ["--window-size", "needs a value"],
  ["--window-size=", "needs a value"],
  ["--window-size=big", "WIDTH,HEIGHT"],
  ["--window-size=0,1", "WIDTH,HEIGHT"],
  ["--window-size=1280,720,5", "WIDTH,HEIGHT"],
  ["--lang=../../etc/passwd", "language tag"],
  ["--lang=de\0", "language tag"],
  ["--user-agent=a\nb", "printable"],
  ["--user-agent=ü", "printable"],
  [`--user-agent=${"a".repeat(1025)}`, "up to 1024"],
  [`--user-agent=${"a".repeat(5000)}`, "longer than 4096"],
  ["--force-device-scale-factor=1e9", "from 0.25 to 8"],
  ["--password-store=gnome-libsecret", "only `basic`"],
  ["--use-gl=/tmp/evil.so", "one of"],
  ["--unsafely-treat-insecure-origin-as-secure=file:///etc", "origins"],
  ["--explicitly-allowed-ports=0", "port numbers"],
  ["--js-flags=--expose-gc --sandbox-testing", 'not "--sandbox-testing"'],
  ["--js-flags=--logfile=/tmp/x", "flags separated"],
  ["--blink-settings=imagesEnabled=false,webSecurityEnabled=false", "webSecurityEnabled"],
])("%j is refused: %s", (argument, reason) => {
  const { message } = failureOf(() => readSwitches([argument]));
  expect(message).toContain(reason);
  expect(message).toMatch(/^[\x20-\x7e…]*$/);
});

test.each([
  ["--enable-features=Translate,MojoJS", "MojoJS is not allowed"],
  ["--enable-blink-features=MojoJSTest", "MojoJSTest is not allowed"],
  ["--enable-features=DirectSockets", "bypass the proxy"],
  ["--enable-blink-features=DirectSocketsInServiceWorkers", "bypass the proxy"],
  ["--enable-features=IsolatedWebApps:a/b", "bypass the proxy"],
  ["--enable-features=AudioServiceInProcess", "out of its sandbox"],
  ["--disable-features=NetworkServiceSandbox", "part of the browser's sandbox"],
  ["--disable-features=Translate,LandlockSandbox", "part of the browser's sandbox"],
  ["--disable-features=networkserviceoutofprocess", "out of its sandbox"],
  ["--disable-features=ProxyOverrideRules", "the Proxy option decides"],
  ["--enable-features=EnableProxyOverrideRulesForAllUsers", "the Proxy option decides"],
  ["--enable-features=A<Trial", "names of features"],
  ["--enable-features=*A", "names of features"],
  ["--enable-features=A:b", "names of features"],
])("%s is refused: %s", (argument, reason) => {
  expect(failureOf(() => readSwitches([argument])).message).toContain(reason);
});

test("common features are accepted, and features that weaken protection are removed", () => {
  const usual =
    "AudioServiceOutOfProcess,IsolateOrigins,site-per-process,IsolateSandboxedIframes,PrivacySandboxSettings4,Translate,";
  expect(readSwitches([`--disable-features=${usual}`, "--enable-features="])).toEqual([
    "--disable-features=IsolateOrigins,site-per-process,IsolateSandboxedIframes,PrivacySandboxSettings4,Translate",
  ]);
  expect(readSwitches(["--enable-features=NetworkService,NetworkServiceInProcess"])).toEqual([
    "--enable-features=NetworkService",
  ]);
  expect(readSwitches(["--enable-features=NetworkServiceInProcess2"])).toEqual([]);
});

test("the last value of a repeated switch takes precedence, but lists are combined", () => {
  expect(
    readSwitches([
      "--lang=de",
      "--disable-features=A,B",
      "--kiosk=",
      "--lang=fr-FR",
      "--kiosk",
      "--disable-features=C",
    ]),
  ).toEqual(["--lang=fr-FR", "--disable-features=A,B,C", "--kiosk"]);
  expect(readSwitches(["--blink-settings=imagesEnabled=false", "--blink-settings=primaryHoverType=1"])).toEqual([
    "--blink-settings=imagesEnabled=false,primaryHoverType=1",
  ]);
});

test("a window size may contain an x", () => {
  expect(readSwitches(["--window-size=1280x800"])).toEqual(["--window-size=1280,800"]);
});

test.each([
  ["Europe/Berlin", "Europe/Berlin"],
  ["europe/berlin", "Europe/Berlin"],
  ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires", "America/Buenos_Aires"],
  ["Etc/GMT+5", "Etc/GMT+5"],
  ["UTC", "UTC"],
])("the time zone %s is normalized to the database's spelling", (zone, ...spellings) => {
  const [read = ""] = readSwitches([`--time-zone-for-testing=${zone}`]);
  expect(spellings).toContain(read.slice("--time-zone-for-testing=".length));
});

test.each([
  "Europe/Atlantis",
  "+01:00",
  "../../etc/passwd",
  ":/etc/passwd",
  "/etc/localtime",
  "EST5EDT,M3.2.0",
  "UTC ",
])("%j is not a time zone", (zone) => {
  expect(failureOf(() => readSwitches([`--time-zone-for-testing=${zone}`])).message).toContain("time zone database");
});

test("only the default start page is accepted as an argument", () => {
  expect(readSwitches(["--mute-audio", "about:blank"])).toEqual(["--mute-audio"]);
  expect(failureOf(() => readSwitches(["about:blank#x"])).message).toContain("open pages over DevTools");
});

test("valid values remain unchanged", () => {
  const right = [
    "--window-position=-10,20",
    "--lang=zh-Hant-TW",
    "--accept-lang=de-DE,de,en",
    "--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1 Safari/537.36",
    "--force-device-scale-factor=1.5",
    "--autoplay-policy=no-user-gesture-required",
    "--blink-settings=imagesEnabled=false,primaryHoverType=2",
    "--js-flags=--expose-gc --max-old-space-size=16384 --random-seed=1157259159",
    "--use-angle=swiftshader",
    "--disk-cache-size=1",
    "--unsafely-treat-insecure-origin-as-secure=http://10.0.0.1:3000,https://a.example",
    "--ignore-certificate-errors-spki-list=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    "--cipher-suite-blacklist=0x009c,0x009d",
    "--enable-features=A:k/v/k2/v2,B",
    "--disable-blink-features=AutomationControlled",
    "--disable-web-security",
  ];
  expect(readSwitches(right)).toEqual(right);
});

test.each(INEFFECTIVE_NAMES)("%s is accepted without effect, with and without a value", (name) => {
  expect(readSwitches([name, `${name}=`, `${name}=1`])).toEqual([]);
});

test.each(REFUSED_NAMES)("%s is refused for its family's reason", (name) => {
  const { reason } = REFUSED.find(({ names }) => names.includes(name)) ?? {};
  expect(failureOf(() => readSwitches([name])).message).toBe(`The argument ${name} is not allowed: ${reason}.`);
});

test("every switch is in exactly one table, and has a valid name", () => {
  const all = [...ACCEPTED_NAMES, ...INEFFECTIVE_NAMES, ...REFUSED_NAMES];
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  expect(all.filter((name) => !/^--[a-z0-9][a-z0-9-]*$/.test(name))).toEqual([]);
});

test("accepted switches don't match the pattern of a refused family", () => {
  const patterns = REFUSED.flatMap(({ pattern }) => pattern ?? []);
  expect(ACCEPTED_NAMES.filter((name) => patterns.some((pattern) => pattern.test(name)))).toEqual([]);
});

test("a protective default can neither be replaced nor removed", () => {
  for (const name of PROTECTING.keys()) {
    expect(ACCEPTED_NAMES).not.toContain(name);
    for (const written of [name, `${name}=1`, name.slice(2)]) {
      const { message, errors } = failureOf(() => readIgnoredSwitches(["--mute-audio", written]));
      expect(message).toContain(`${name} can't be omitted: `);
      expect(errors?.[0]?.path).toBe("/1");
    }
  }
});

test("defaults are removed by name, spelled as in Puppeteer or Selenium, and unknown names are accepted", () => {
  expect(
    readIgnoredSwitches(["--mute-audio", "enable-automation", "--lang=en-US", "--lang", "--of-another-browser"]),
  ).toEqual(["--mute-audio", "--enable-automation", "--lang", "--of-another-browser"]);
  expect(failureOf(() => readIgnoredSwitches(["not a switch"])).errors).toHaveLength(1);
});

const anyArgument = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.tuple(fc.constantFrom(...ACCEPTED_NAMES), fc.string({ unit: "binary" })).map((parts) => parts.join("=")),
  fc
    .tuple(fc.constantFrom("--", "-", " --", ""), fc.stringMatching(/^[a-zA-Z_=-]{0,20}$/))
    .map((parts) => parts.join("")),
  fc.constantFrom(...ACCEPTED_NAMES, ...INEFFECTIVE_NAMES, ...REFUSED_NAMES),
  fc.constantFrom(
    "--window-size=1x2",
    "--enable-features=A,B",
    "--disable-features=,C,",
    "--lang=de",
    "--user-agent=x y",
  ),
);

/** Returns the switches, or the message and paths of a Failure. Rethrows other errors. */
function outcomeOf(read: () => string[]): { switches: string[]; message: string; paths: string[] } {
  try {
    return { switches: read(), message: "", paths: [] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { switches: [], message: error.message, paths: error.errors?.map(({ path }) => path) ?? [] };
  }
}

test("any input results in a Failure or in known switches without control characters", () => {
  fc.assert(
    fc.property(fc.array(anyArgument, { maxLength: 8 }), (args) => {
      const { switches, message, paths } = outcomeOf(() => readSwitches(args));
      expect(ACCEPTED_NAMES).toEqual(expect.arrayContaining(switches.map((given) => given.split("=")[0])));
      expect([...switches, message].join("")).toMatch(/^[\x20-\x7e…]*$/);
      expect(paths.every((path) => Number(path.slice(1)) < args.length)).toBe(true);
      expect(readSwitches(switches)).toEqual(switches);
    }),
    { numRuns: 500 },
  );
});

test("a list of names to remove either results in a Failure or contains no protective switches", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(anyArgument, fc.constantFrom(...PROTECTING.keys()))), (names) => {
      const { switches } = outcomeOf(() => readIgnoredSwitches(names));
      expect(switches.join("")).toMatch(/^[a-z0-9-]*$/);
      expect(switches.filter((name) => PROTECTING.has(name))).toEqual([]);
    }),
  );
});
