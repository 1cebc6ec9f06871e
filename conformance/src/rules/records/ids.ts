import type { OperationId } from "@remote-browser/contract/operations";
import { response, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import type { Account } from "../../session/account.ts";
import { describe, expectEqual, expectRefusal, expectSuccess, expectThat, toErrorBody } from "../../session/expect.ts";
import { idOf, unusedAddress, withId } from "../../target/addresses.ts";
import { callOn, forEachOf, REFERRING } from "../../scenario/referring.ts";
import { tryHandshake } from "../../target/handshake.ts";
import { ID_FORM, infoOf, openNamed, unusedId } from "../../scenario/records.ts";

const REFERENCES = ["BrowserReference", "WaitRequest", "UpdateRequest"];

/** Browser ids. */
export const ID_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-ID-01",
    at: schema("BrowserId"),
    sentence: "No two browsers ever have the same id.",
    covers: ["BrowserId", "OpenResult.id", "Session.id"],
    opens: 2,
    async check(run) {
      const first = await openNamed(run);
      expectSuccess(await run.main.close(first.address));
      const second = await openNamed(run);
      for (const { id } of [first, second]) {
        expectThat(ID_FORM.test(id), "an id consisting of br_ and 26 lowercase letters and digits", JSON.stringify(id));
      }
      expectThat(first.id !== second.id, "the second browser's id to differ", "the same id");
      const { sessions } = expectSuccess(await run.main.get());
      const listed = (sessions as readonly Record<string, unknown>[]).find(({ address }) => address === second.address);
      expectEqual("the id in the list from Get", listed?.["id"], second.id);
    },
  },
  {
    id: "RBS-ID-02",
    at: schema("BrowserId"),
    sentence: "It is not a secret: it does not give access to the browser.",
    async check(run) {
      const address = await run.shared("headless");
      const id = String((await infoOf(run.main, { address }))["id"]);
      const key = idOf(address);
      const differs = !address.includes(id) && !address.includes(id.slice("br_".length)) && !id.includes(key);
      expectThat(differs, "an id that doesn't contain the address's secret", "that it does");
      for (const name of [id, id.slice("br_".length)]) {
        const stranger = withId(address, name);
        expectRefusal({ received: await tryHandshake(stranger) }, "BrowserNotFound");
        expectRefusal(await run.main.call("getBrowserInfo", { address: stranger }), "BrowserNotFound");
      }
    },
  },
  {
    id: "RBS-ID-03",
    at: schema("BrowserReference", "id"),
    sentence: "The browser's id, as Open returned it.",
    covers: ["closeBrowser 200", "stopRemoteDesktop 200", "BrowserReference.id"],
    opens: 2,
    async check(run) {
      const { main } = run;
      const other = await openNamed(run);
      const { address, id } = await openNamed(run);
      expectEqual("the address that Info returns for an id", (await infoOf(main, { id }))["address"], address);
      expectEqual("the id that Info returns for an address", (await infoOf(main, { address }))["id"], id);
      expectSuccess(await main.call("stopRemoteDesktop", { id }));
      // The browser is headless.
      expectRefusal(await main.call("startRemoteDesktop", { id }), "DesktopUnavailable");
      expectSuccess(await main.call("closeBrowser", { id }));
      expectThat((await main.find(address)) === undefined, "the browser to be closed by its id", "a listed browser");
      expectThat(
        (await main.find(other.address)) !== undefined,
        "the other browser to remain open",
        "a closed browser",
      );
      for (const operation of ["closeBrowser", "stopRemoteDesktop", "updateBrowser"] as const) {
        expectRefusal(await callOn(main, operation, { id }), "BrowserNotFound");
      }
    },
  },
  {
    id: "RBS-ID-04",
    capability: "desktop",
    at: schema("BrowserReference", "id"),
    sentence: "The browser's id, as Open returned it.",
    covers: ["startRemoteDesktop 200", "stopRemoteDesktop 200", "BrowserReference.id"],
    async check({ main, leaseBrowser }) {
      await using lease = await leaseBrowser();
      const { address } = lease;
      const { id } = await infoOf(main, { address });
      const { password } = expectSuccess(await main.call("startRemoteDesktop", { id }));
      const again = expectSuccess(await main.startDesktop(address));
      expectEqual("the password that Start returns for the address", again["password"], password);
      expectSuccess(await main.call("stopRemoteDesktop", { id }));
      expectEqual("vncpass after Stop by id", (await main.find(address))?.vncpass, null);
    },
  },
  {
    id: "RBS-ID-05",
    at: schema("BrowserReference"),
    sentence: "A request with both, or with neither, is a `BadRequest`.",
    covers: [
      ...REFERRING.map((operation) => `${operation} 400`),
      ...REFERENCES.flatMap((name) => [`${name}.address`, `${name}.id`]),
    ],
    async check({ main }) {
      await forEachOf(REFERRING, [{}], async (operation, browser) => {
        expectRefusal(await callOn(main, operation, browser), "BadRequest", "/address");
      });
      await forEachOf(REFERRING, [{ address: unusedAddress(), id: unusedId() }], async (operation, browser) => {
        expectRefusal(await callOn(main, operation, browser), "BadRequest", "/id");
      });
    },
  },
  {
    id: "RBS-ID-06",
    at: schema("BrowserReference", "id"),
    sentence: "For one that does not belong to a browser of the account, the response is 404 `BrowserNotFound`.",
    covers: [...REFERRING.map((operation) => `${operation} 404`), ...REFERENCES.map((name) => `${name}.id`)],
    opens: 1,
    isDetail: true,
    async check(run) {
      const { address, id } = await openNamed(run);
      const strangers = [unusedId(), "no id at all", "x".repeat(2048), id.toUpperCase(), `${id}a`, id.slice(0, -1)];
      await forEachOf(REFERRING, strangers, async (operation, stranger) => {
        expectRefusal(await callOn(run.main, operation, { id: stranger }), "BrowserNotFound");
      });
      // An address is not an id.
      expectRefusal(await run.main.call("getBrowserInfo", { id: address }), "BrowserNotFound");
      expectRefusal(await run.main.call("getBrowserInfo", { id: idOf(address) }), "BrowserNotFound");
      await forEachOf(REFERRING, ["", 5, true, [id], "x".repeat(2049)], async (operation, wrong) => {
        expectRefusal(await callOn(run.main, operation, { id: wrong }), "BadRequest", "/id");
      });
      expectThat((await run.main.find(address)) !== undefined, "the browser to remain open", "a closed browser");
    },
  },
  {
    id: "RBS-ISO-05",
    capability: "isolation",
    at: response("BrowserNotFound"),
    sentence: "the response is the same for all three",
    covers: REFERRING.map((operation) => `${operation} 404`),
    needs: ["other-account"],
    opens: 2,
    isDetail: true,
    async check(run) {
      const other = run.account("other-account");
      const open = await openNamed(run);
      const ended = await openNamed(run);
      expectSuccess(await run.main.close(ended.address));
      for (const operation of REFERRING) {
        const unknown = await answerTo(other, operation, unusedId());
        for (const [state, { id }] of Object.entries({ open, ended })) {
          const answer = await answerTo(other, operation, id);
          const expected = `the same response for another account's ${state} browser as for an unknown id, ${unknown}`;
          expectThat(answer === unknown, expected, answer);
        }
      }
      expectRefusal(await other.call("getBrowserInfo", { address: ended.address }), "BrowserNotFound");
      expectThat((await run.main.find(open.address)) !== undefined, "the browser to remain open", "a closed browser");
    },
  },
]);

/** Returns the response without the values that differ between requests. */
async function answerTo(account: Account, operation: OperationId, id: string): Promise<string> {
  const { received } = await callOn(account, operation, { id });
  const { name, message, errors } = toErrorBody(received.json);
  return `${describe(received)} ${JSON.stringify([name, message, errors]).replaceAll(id, "…")}`;
}
