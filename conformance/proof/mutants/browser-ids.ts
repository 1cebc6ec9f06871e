import { readKey } from "../../../server/src/domain/browser/address.ts";
import { Failure } from "../../../server/src/domain/failure.ts";
import type { Mutant } from "../mutant.ts";
import { isFor, onAnswer, onFailure, onRefusal, onRequest } from "./alter.ts";
import { onSession } from "./lists.ts";
import { onReference, onShown } from "./shown.ts";
import { instead, onBrowsers } from "./use-cases.ts";

/** The ids of browsers, and how requests name browsers. */
export const BROWSER_ID_MUTANTS: readonly Mutant[] = [
  {
    id: "id-form",
    title: "Ids do not begin with br_",
    killedBy: ["RBS-ID-01", "RBS-ANSWER-02"],
    fault: () =>
      onAnswer("openBrowser", ({ status, body }) =>
        status === 200 ? { body: { ...body, id: String(body["id"]).slice(3) } } : {},
      ),
  },
  {
    id: "id-repeated",
    title: "Two browsers have the same id",
    killedBy: ["RBS-ID-01"],
    fault: () => {
      let first: unknown;
      return onAnswer("openBrowser", ({ status, body }) =>
        status === 200 ? { body: { ...body, id: (first ??= body["id"]) } } : {},
      );
    },
  },
  {
    id: "id-listed-differs",
    title: "Get lists another id than Open returned",
    killedBy: ["RBS-ID-01"],
    fault: () => onSession((session) => ({ ...session, id: `br_${"0".repeat(26)}` })),
  },
  {
    id: "id-tells-secret",
    title: "The id contains the secret of the address",
    killedBy: ["RBS-ID-02"],
    fault: () =>
      onShown((shown) => {
        const { address, id } = shown;
        return { ...shown, id: typeof address === "string" ? `br_${readKey(address) ?? ""}` : id };
      }),
  },
  {
    id: "id-connects",
    title: "Clients can connect with an id in place of the secret",
    killedBy: ["RBS-ID-02"],
    fault: () =>
      onBrowsers((browsers) => ({
        findByKey: (key) => browsers.findByKey(key) ?? [...browsers.all()].find(({ id }) => id === key),
      })),
  },
  {
    id: "id-in-address",
    title: "An id in an address names the browser",
    killedBy: ["RBS-ID-02"],
    fault: () =>
      onReference((body) => {
        const key = readKey(String(body["address"]));
        return key?.startsWith("br_") === true ? { ...body, address: undefined, id: key } : body;
      }),
  },
  {
    id: "id-closes-nothing",
    title: "Close by id answers 200 and closes nothing",
    killedBy: ["RBS-ID-03"],
    fault: () =>
      onBrowsers((browsers) => ({
        find(account, selector) {
          const browser = browsers.find(account, selector);
          return "id" in selector ? instead(browser, { close: async () => {} }) : browser;
        },
      })),
  },
  {
    id: "id-not-for-start",
    title: "Start does not find browsers by their ids",
    killedBy: ["RBS-ID-04", "RBS-ID-03"],
    fault: () =>
      onRequest("startRemoteDesktop", (body) => ("id" in body ? { ...body, id: `br_${"0".repeat(26)}` } : body)),
  },
  {
    id: "id-not-for-stop",
    title: "Stop by id stops nothing",
    killedBy: ["RBS-ID-04"],
    fault: () => ({
      services: (services) => ({
        ...services,
        desktops: instead(services.desktops, {
          stop: async (owner, selector) =>
            "id" in selector
              ? void services.localBrowsers.find(owner, selector)
              : services.desktops.stop(owner, selector),
        }),
      }),
    }),
  },
  {
    id: "id-address-wins",
    title: "Of an address and an id in one request, the id is ignored",
    killedBy: ["RBS-ID-05"],
    fault: () => onReference(({ id, ...body }) => ("address" in body ? body : { ...body, id })),
  },
  {
    id: "id-neither-place",
    title: "The error for a request without a browser does not say where",
    killedBy: ["RBS-ID-05", "RBS-BODY-09"],
    fault: () =>
      onRefusal(({ body }) => {
        const errors = body["errors"] as { path: string; message: string }[] | undefined;
        if (errors?.[0]?.path !== "/address") return {};
        return { body: { ...body, errors: errors.map((each) => ({ ...each, path: "" })) } };
      }),
  },
  {
    id: "id-any-case",
    title: "Upper and lower case of ids do not matter",
    killedBy: ["RBS-ID-06"],
    fault: () =>
      onReference((body) => (typeof body["id"] === "string" ? { ...body, id: body["id"].toLowerCase() } : body)),
  },
  {
    id: "id-begins",
    title: "A part of an id is enough",
    killedBy: ["RBS-ID-06"],
    fault: () =>
      onBrowsers((browsers) => ({
        findRecent(account, selector) {
          if (!("id" in selector)) return browsers.findRecent(account, selector);
          return browsers.listRecent(account).find(({ id }) => id.startsWith(selector.id));
        },
      })),
  },
  {
    id: "id-unknown-400",
    title: "Info answers 400 for an unknown id",
    killedBy: ["RBS-ID-06"],
    fault: () =>
      onFailure("BrowserNotFound", ({ body }, request) =>
        isFor(request, "getBrowserInfo")
          ? {
              status: 400,
              body: { ...body, status: 400, name: "BadRequest", errors: [{ path: "/id", message: "is unknown" }] },
            }
          : {},
      ),
  },
  {
    id: "id-key-as-id",
    title: "The secret of an address is accepted as an id",
    killedBy: ["RBS-ID-06"],
    fault: () =>
      onBrowsers((browsers) => ({
        findRecent(account, selector) {
          const isKey = "id" in selector && browsers.findByKey(selector.id) !== undefined;
          return browsers.findRecent(account, isKey ? { address: toAddress(selector.id) } : selector);
        },
      })),
  },
  {
    id: "id-unknown-closed",
    title: "Close by an unknown id answers that the id is malformed",
    killedBy: ["RBS-ID-06"],
    fault: () =>
      onBrowsers((browsers) => ({
        find(account, selector) {
          if (!("id" in selector) || /^br_[a-z0-9]{26}$/.test(selector.id)) return browsers.find(account, selector);
          const errors = [{ path: "/id", message: "is malformed" }];
          throw new Failure("BadRequest", "The request is not valid: id is malformed.", { errors });
        },
      })),
  },
];

function toAddress(key: string): string {
  return `ws://127.0.0.1/devtools/browser/${key}`;
}
