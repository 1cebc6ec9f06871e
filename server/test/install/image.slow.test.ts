import { spawnSync } from "node:child_process";
import puppeteer from "puppeteer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readLedger } from "../../../scripts/ledger/ledger.ts";
import { type Answered, call } from "../support/servers/call.ts";
import { openViewer } from "../support/desktop/desktop-viewer.ts";
import { type Engine, startEngine, whyNoEngine } from "../support/machine/docker-engine.ts";
import { freePort } from "../support/machine/free-port.ts";
import { buildImage, buildSuiteImage, importBase, readDocumentedOptions } from "../support/machine/service-image.ts";
import { until } from "../support/until.ts";

/** The flavours, and the kinds of browsers that they open. */
const FLAVOURS = {
  shell: { browsers: [{ Headless: true, Browser: 3 }] },
  headless: { browsers: [{ Headless: true, Browser: 3 }, { Headless: true }] },
  full: { browsers: [{ Headless: true, Browser: 3 }, { Headless: true }, {}] },
} as const;

const [SETUP_MS, TEST_MS] = [3_600_000, 300_000];
const CONTAINER = "browsers";

const why = spawnSync("debootstrap", ["--version"]).error === undefined ? await whyNoEngine() : "Install debootstrap.";

/** Returns the `docker run` options without the option that has this value. */
function without(options: readonly string[], value: RegExp): string[] {
  const at = options.findIndex((option) => value.test(option));
  expect(at).toBeGreaterThan(0);
  return options.toSpliced(at - 1, 2);
}

describe.skipIf(why !== undefined)(`the container image${why === undefined ? "" : ` (${why})`}`, () => {
  const options = readDocumentedOptions();
  let engine: Engine;
  let url: URL;
  const images = new Map<string, string>();

  beforeAll(async () => {
    engine = await startEngine();
    await importBase(engine);
    for (const flavour of Object.keys(FLAVOURS)) images.set(flavour, await buildImage(engine, flavour));
  }, SETUP_MS);

  afterAll(() => engine?.[Symbol.asyncDispose](), SETUP_MS);

  /** Returns the options and the image for `docker run`, on this machine's network. */
  async function toRun(flavour: string): Promise<string[]> {
    const port = await freePort();
    url = new URL(`http://127.0.0.1:${port}`);
    const settings = { RBS_PORT: port, RBS_HOST: url.hostname, RBS_PUBLIC_URL: url.origin, RBS_EGRESS: "any" };
    const env = Object.entries(settings).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
    return ["--network", "host", ...env, images.get(flavour) ?? ""];
  }

  /** Starts a server. @param more Options that replace earlier ones. @returns The operator's token. */
  async function start(flavour: string, ...more: readonly string[]): Promise<string> {
    // A failed test leaves its container behind.
    await engine.docker(["rm", "--force", CONTAINER]).catch(() => {});
    const run = ["run", "--detach", "--name", CONTAINER, "--volume", `${flavour}:/data`, ...options, ...more];
    await engine.docker([...run, ...(await toRun(flavour))]);
    await untilReady();
    const account = await engine.docker(["exec", CONTAINER, "cat", "/data/first-account.txt"]);
    return /^Token: +(\S+)/m.exec(account)?.[1] ?? "";
  }

  async function untilReady(): Promise<void> {
    const isReady = (): Promise<boolean> =>
      fetch(new URL("/readyz", url)).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isReady, Boolean, 60_000).catch(async (cause: unknown) => {
      throw new Error(await engine.docker(["logs", CONTAINER]), { cause });
    });
  }

  function post(operation: string, token: string, body: object): Promise<Answered> {
    return call(url, "POST", `/api/v1/Browser/${operation}`, token, body);
  }

  async function open(token: string, body: object): Promise<string> {
    const answer = await post("Open", token, body);
    expect(answer).toMatchObject({ status: 200 });
    return String(answer.body["address"]);
  }

  test.each(Object.entries(FLAVOURS))(
    "the %s image is small, and opens its browsers with both sandboxes",
    async (flavour, { browsers }) => {
      const size = Number(await engine.docker(["inspect", "--format", "{{.Size}}", images.get(flavour) ?? ""]));
      expect(size / 1e6).toBeLessThan(readLedger().megabytes[flavour] ?? 0);
      const token = await start(flavour);
      for (const each of browsers) {
        const address = await open(token, each);
        const browser = await puppeteer.connect({ browserWSEndpoint: address });
        const page = await browser.newPage();
        await page.goto("data:text/html,<title>It works</title>");
        expect(await page.title()).toBe("It works");
        await browser.disconnect();
        expect(await post("Close", token, { address })).toMatchObject({ status: 200 });
      }
      await engine.docker(["rm", "--force", "--volumes", CONTAINER]);
    },
    TEST_MS,
  );

  describe("with everything", () => {
    let token: string;

    beforeAll(async () => {
      // The conformance suite opens too many browsers at the same time for 4 GB of memory.
      token = await start("full", "--memory", "12g");
    }, TEST_MS);

    test(
      "Chromium reports that it is fully sandboxed, and its desktop is visible",
      async () => {
        const address = await open(token, {});
        const browser = await puppeteer.connect({ browserWSEndpoint: address });
        const page = await browser.newPage();
        await page.goto("chrome://sandbox");
        expect(await page.evaluate("document.body.innerText")).toContain("You are adequately sandboxed.");
        await page.goto("data:text/html,<body style='background:%233264c8'>");
        const { body } = await post("StartRemoteDesktop", token, { address });
        await using viewer = await openViewer(String(body["rfbUrl"]), String(body["password"]));
        await viewer.untilColor(600, 500, "3264c8");
        await browser.disconnect();
        expect(await post("Close", token, { address })).toMatchObject({ status: 200 });
      },
      TEST_MS,
    );

    test(
      "doctor finds that browsers can be opened",
      async () => {
        const doctor = await engine.docker(["exec", CONTAINER, "remote-browser-service", "doctor"], TEST_MS);
        expect(doctor.match(/opened in \d+ ms/g)).toHaveLength(3);
      },
      TEST_MS,
    );

    test(
      "the image of the conformance suite contains Schemathesis, and the suite passes",
      async () => {
        const suite = await buildSuiteImage(engine);
        const size = Number(await engine.docker(["inspect", "--format", "{{.Size}}", suite]));
        expect(size / 1e6).toBeLessThan(readLedger().megabytes["suite"] ?? 0);
        const run = ["run", "--rm", "--network", "host", suite, "--base-url", url.href, "--token", token, "--partial"];
        expect(await engine.docker([...run, "--profile", "smoke"], TEST_MS)).toContain("PASSED (SMOKE)");
        const fuzzed = [...run, "--profile", "full", "--rule", "RBS-FUZZ", "--max-opens", "100"];
        expect(await engine.docker(fuzzed, TEST_MS)).toContain("PASSED (FULL)");
      },
      SETUP_MS,
    );

    test(
      "the container engine reports the container as healthy",
      async () => {
        const read = ["inspect", "--format", "{{.State.Health.Status}}", CONTAINER];
        // The engine checks the container's health every 30 s.
        const health = await until(
          () => engine.docker(read),
          (status) => status !== "starting\n",
          60_000,
        );
        expect(health).toBe("healthy\n");
      },
      TEST_MS,
    );

    test(
      "accounts survive a killed container, and the container stops within 10 s",
      async () => {
        await open(token, { Headless: true });
        await engine.docker(["kill", CONTAINER]);
        await engine.docker(["start", CONTAINER]);
        await untilReady();
        await open(token, { Headless: true });
        const startedAt = performance.now();
        await engine.docker(["stop", CONTAINER]);
        expect(performance.now() - startedAt).toBeLessThan(10_000);
        expect(await engine.docker(["inspect", "--format", "{{.State.ExitCode}}", CONTAINER])).toBe("0\n");
        await engine.docker(["rm", "--volumes", CONTAINER]);
      },
      TEST_MS,
    );
  });

  test.each([
    ["the system call filter", /^seccomp=/, /seccomp.*deploy\/seccomp\.json/],
    ["all of /proc", /^systempaths=/, /masks parts of \/proc.*systempaths=unconfined/],
  ])(
    "without the option for %s, the server refuses to start and names the option",
    async (_, value, advice) => {
      const run = ["run", "--rm", ...without(options, value), ...(await toRun("shell"))];
      await expect(engine.docker(run, TEST_MS)).rejects.toThrow(advice);
      await expect(engine.docker([...run, "doctor"], TEST_MS)).rejects.toMatchObject({
        stdout: expect.stringMatching(advice) as string,
      });
    },
    TEST_MS,
  );
});
