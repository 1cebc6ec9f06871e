import { readKey } from "../../../../server/src/domain/browser/address.ts";
import { Failure } from "../../../../server/src/domain/failure.ts";
import { type Mutant, mutant } from "../../mutant.ts";
import { failing, isFor, onFailure, onRefusal, onRequest, onSuccess } from "../../faults/alter.ts";
import { onReference, onSession, onShown } from "../../faults/shown.ts";
import { instead, onBrowsers, onDesktops } from "../../faults/use-cases.ts";

/** Faults in browser ids and in selecting browsers by id. */
export const BROWSER_ID_MUTANTS: readonly Mutant[] = [
  mutant("id-form", ["RBS-ID-01", "RBS-ANSWER-02"], "Ids don't begin with br_", () =>
    onSuccess("openBrowser", (body) => ({ ...body, id: String(body["id"]).slice(3) })),
  ),
  mutant("id-repeated", ["RBS-ID-01"], "Two browsers have the same id", () => {
    let first: unknown;
    return onSuccess("openBrowser", (body) => ({ ...body, id: (first ??= body["id"]) }));
  }),
  mutant("id-listed-differs", ["RBS-ID-01"], "Get returns a different id from Open", () =>
    onSession((session) => ({ ...session, id: `br_${"0".repeat(26)}` })),
  ),
  mutant("id-tells-secret", ["RBS-ID-02"], "The id contains the address's secret key", () =>
    onShown((shown) => {
      const { address, id } = shown;
      return { ...shown, id: typeof address === "string" ? `br_${readKey(address) ?? ""}` : id };
    }),
  ),
  mutant("id-connects", ["RBS-ID-02"], "Clients can connect with an id in place of the secret key", () =>
    onBrowsers((browsers) => ({
      findByKey: (key) => browsers.findByKey(key) ?? [...browsers.all()].find(({ id }) => id === key),
    })),
  ),
  mutant("id-in-address", ["RBS-ID-02"], "An address that contains an id selects the browser", () =>
    onReference((body) => {
      const key = readKey(String(body["address"]));
      return key?.startsWith("br_") === true ? { ...body, address: undefined, id: key } : body;
    }),
  ),
  mutant("id-closes-nothing", ["RBS-ID-03"], "Close by id returns 200 but doesn't close the browser", () =>
    onBrowsers((browsers) => ({
      find(account, selector) {
        const browser = browsers.find(account, selector);
        return "id" in selector ? instead(browser, { close: async () => {} }) : browser;
      },
    })),
  ),
  mutant("id-not-for-start", ["RBS-ID-04", "RBS-ID-03"], "Start doesn't find browsers by id", () =>
    onRequest("startRemoteDesktop", (body) => ("id" in body ? { ...body, id: `br_${"0".repeat(26)}` } : body)),
  ),
  mutant("id-not-for-stop", ["RBS-ID-04"], "Stop by id doesn't stop the desktop", () =>
    onDesktops((desktops, browsers) => ({
      stop: async (owner, selector) =>
        "id" in selector ? void browsers.find(owner, selector) : desktops.stop(owner, selector),
    })),
  ),
  mutant("id-address-wins", ["RBS-ID-05"], "If a request has both an address and an id, the id is ignored", () =>
    onReference(({ id, ...body }) => ("address" in body ? body : { ...body, id })),
  ),
  mutant("id-neither-place", ["RBS-ID-05", "RBS-BODY-09"], "Without an address or id, the error has no path", () =>
    onRefusal(({ body }) => {
      const errors = body["errors"] as { path: string; message: string }[] | undefined;
      if (errors?.[0]?.path !== "/address") return {};
      return { body: { ...body, errors: errors.map((each) => ({ ...each, path: "" })) } };
    }),
  ),
  mutant("id-any-case", ["RBS-ID-06"], "Ids are case-insensitive", () =>
    onReference((body) => (typeof body["id"] === "string" ? { ...body, id: body["id"].toLowerCase() } : body)),
  ),
  mutant("id-begins", ["RBS-ID-06"], "A prefix of an id selects the browser", () =>
    onBrowsers((browsers) => ({
      findRecent(account, selector) {
        if (!("id" in selector)) return browsers.findRecent(account, selector);
        return browsers.listRecent(account).find(({ id }) => id.startsWith(selector.id));
      },
    })),
  ),
  mutant("id-unknown-400", ["RBS-ID-06"], "Info returns 400 for an unknown id", () =>
    onFailure("BrowserNotFound", ({ body }, request) =>
      isFor(request, "getBrowserInfo") ? failing("BadRequest", body, [{ path: "/id", message: "is unknown" }]) : {},
    ),
  ),
  mutant("id-key-as-id", ["RBS-ID-06"], "An address's secret key is accepted as an id", () =>
    onBrowsers((browsers) => ({
      findRecent(account, selector) {
        const isKey = "id" in selector && browsers.findByKey(selector.id) !== undefined;
        return browsers.findRecent(account, isKey ? { address: toAddress(selector.id) } : selector);
      },
    })),
  ),
  mutant("id-unknown-closed", ["RBS-ID-06"], "Close reports an unknown id as malformed", () =>
    onBrowsers((browsers) => ({
      find(account, selector) {
        if (!("id" in selector) || /^br_[a-z0-9]{26}$/.test(selector.id)) return browsers.find(account, selector);
        const errors = [{ path: "/id", message: "is malformed" }];
        throw new Failure("BadRequest", "The request is not valid: id is malformed.", { errors });
      },
    })),
  ),
];

function toAddress(key: string): string {
  return `ws://127.0.0.1/devtools/browser/${key}`;
}
