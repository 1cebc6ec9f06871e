import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { describe, expectRefusal, expectSuccess } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import { sendWithRetries } from "../../session/account.ts";
import { NotApplicable, Undecidable, Violation } from "../../target/violation.ts";
import type { Exchange } from "../../target/exchange.ts";
import { expectOpened, expectRefused, ownOptions } from "../../scenario/opening.ts";

export const CHROME = 0;
export const CHROMIUM = 2;
export const HEADLESS_SHELL = 3;

/** Maximum number of tries. Low, because retrying doesn't help if the kind isn't installed. */
const KIND_TRIES = 2;

/** Rules about which browser Open starts, and whether the browser has a screen. */
export const KIND_RULES = scenarios({ capability: "desktop" }, [
  {
    id: "RBS-OPEN-05",
    capability: "core",
    at: schema("SupportedBrowser"),
    sentence: "Other numbers, 1 included, are a `BadRequest`.",
    covers: ["openBrowser 400", "OpenOptions.Browser", "SupportedBrowser"],
    async check(run) {
      for (const Browser of [1, 4, -1, 2_000_000_000]) await expectRefused(run, { Browser }, "/Browser");
    },
  },
  {
    id: "RBS-OPEN-06",
    capability: "core",
    at: schema("OpenOptions", "Browser"),
    sentence: "For a kind that this deployment does not have, the response is 503 `BrowserUnavailable`.",
    covers: ["openBrowser 503", "OpenOptions.Browser", "SupportedBrowser"],
    opens: 3,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      const there = [];
      for (const Browser of [CHROME, CHROMIUM, HEADLESS_SHELL]) {
        const address = await openKind(run, { Browser });
        if (address === undefined) continue;
        there.push(Browser);
        await run.main.close(address);
      }
      if (there.length === 0)
        throw new Undecidable("According to the deployment, the kinds 0, 2 and 3 are not installed.");
    },
  },
  {
    id: "RBS-OPEN-08",
    level: "required",
    at: schema("OpenOptions", "Headless"),
    sentence: "The default is `false`: the browser has a screen, which a remote desktop can show.",
    covers: ["OpenOptions.Headless"],
    opens: 1,
    async check(run) {
      const options = { ...ownOptions(run), Headless: undefined };
      const address = await expectOpened(() => run.main.open(options));
      expectSuccess(await run.main.startDesktop(address));
    },
  },
  {
    id: "RBS-OPEN-19",
    at: schema("OpenOptions", "Headless"),
    sentence: "ChromeHeadlessShell is always headless.",
    covers: ["OpenOptions.Headless"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const address = await openKind(run, { Browser: HEADLESS_SHELL, Headless: false });
      if (address === undefined) throw new NotApplicable("This deployment does not have ChromeHeadlessShell.");
      expectRefusal(await run.main.startDesktop(address), "DesktopUnavailable");
    },
  },
  {
    id: "RBS-OPEN-21",
    at: schema("OpenOptions", "Headless"),
    sentence: "Whether the browser runs without a graphical interface.",
    covers: ["OpenOptions.Headless"],
    check: async ({ main, shared }) =>
      expectRefusal(await main.startDesktop(await shared("headless")), "DesktopUnavailable"),
  },
]);

/**
 * Opens a browser of a kind with other valid options.
 * @returns The address, or undefined if the deployment correctly responds that it doesn't have this kind.
 * @throws {Violation} For any other response.
 */
export async function openKind(
  run: Run,
  options: { Browser: number; Headless?: boolean; Screen?: object },
): Promise<string | undefined> {
  const send = (): Promise<Exchange> => run.main.open({ ...ownOptions(run), ...options });
  let exchange = await sendWithRetries(send, KIND_TRIES);
  if (isToBeWaitedFor(exchange)) {
    // A full machine can't open any kind of browser. Wait until the default kind opens, then try again.
    await run.main.close(await run.main.openBrowser());
    exchange = await send();
  }
  if (exchange.received.status !== 503) return expectOpened(async () => exchange);
  expectRefusal(exchange, "BrowserUnavailable");
  if (!isToBeWaitedFor(exchange)) return undefined;
  const expected = `an open browser, or 503 without Retry-After, for Browser ${options.Browser}`;
  throw new Violation({
    expected,
    seen: `${describe(exchange.received)} with Retry-After, although the default browser opens`,
  });
}

function isToBeWaitedFor({ received }: Exchange): boolean {
  return received.status === 503 && received.headers["retry-after"] !== undefined;
}
