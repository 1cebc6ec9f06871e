import { CLOSE_ALL, schema } from "../pointers.ts";
import { NotApplicable } from "../../target/violation.ts";
import { scenarios } from "../rule.ts";
import type { Account } from "../../session/account.ts";
import { expectEnd, expectStays } from "../../scenario/connections.ts";
import { expectEqual, expectRefusal, expectSuccess, expectThat } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { LIMITED, onLimited } from "../../scenario/exclusive-account.ts";
import { listForeign } from "../../scenario/foreign-browsers.ts";
import { infoOf, openNamed } from "../../scenario/records.ts";
import { MAX_TAG_LENGTH } from "../open/tags.ts";

const DESCRIPTION = `${CLOSE_ALL}/description`;
const WHICH = "Closes the browsers of this account that are open and that have a label or a tag, or all of them";

/** Closing several browsers. */
export const CLOSE_ALL_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-CLOSEALL-01",
    at: DESCRIPTION,
    sentence: WHICH,
    covers: ["closeAllBrowsers 200", "CloseAllRequest.label"],
    opens: 4,
    isDetail: true,
    async check(run) {
      const Label = run.newLabel();
      const meant = [await openNamed(run, { Label }), await openNamed(run, { Label })];
      const others = [
        await openNamed(run, { Label: `${Label}b` }),
        await openNamed(run, { Label: Label.toUpperCase(), Tags: [Label] }),
      ];
      await expectClosed(run, { label: Label }, { meant, others });
    },
  },
  {
    id: "RBS-CLOSEALL-02",
    at: DESCRIPTION,
    sentence: WHICH,
    covers: ["closeAllBrowsers 200", "CloseAllRequest.tag"],
    opens: 4,
    isDetail: true,
    async check(run) {
      const tag = run.newLabel();
      const meant = [
        await openNamed(run, { Tags: ["first", tag] }),
        await openNamed(run, { Tags: [tag, "last", tag] }),
      ];
      const others = [await openNamed(run, { Tags: [`${tag}b`, "first"] }), await openNamed(run, { Label: tag })];
      await expectClosed(run, { tag, label: null, all: null }, { meant, others });
    },
  },
  {
    id: "RBS-CLOSEALL-03",
    at: DESCRIPTION,
    sentence: "as Close does for one",
    opens: 1,
    async check(run) {
      const Label = run.newLabel();
      const { id } = await openNamed(run, { Label });
      const { address } = await infoOf(run.main, { id });
      await using client = await connectDevtools(String(address));
      expectSuccess(await closeAll(run.main, { label: Label }));
      await expectEnd(client, 1000, "browser closed: requested", "the connection to each closed browser");
      expectEqual("the close reason of each browser", (await infoOf(run.main, { id }))["reason"], "requested");
    },
  },
  {
    id: "RBS-CLOSEALL-04",
    at: DESCRIPTION,
    sentence: "It is not an error if there are none.",
    covers: ["closeAllBrowsers 200"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const Label = run.newLabel();
      const { address } = await openNamed(run, { Label, Tags: [Label] });
      expectSuccess(await run.main.close(address));
      for (const which of [{ label: Label }, { tag: Label }, { tag: run.newLabel() }]) {
        expectEqual(
          "the closed count when no browser matches",
          expectSuccess(await closeAll(run.main, which))["closed"],
          0,
        );
      }
    },
  },
  {
    id: "RBS-CLOSEALL-05",
    at: schema("CloseAllRequest"),
    sentence: "exactly one of the members. Any other request is a `BadRequest`.",
    covers: ["closeAllBrowsers 400", "CloseAllRequest.label", "CloseAllRequest.tag"],
    async check(run) {
      // A faulty server that accepts these requests closes no browsers, because no browser has this label or tag.
      const unused = run.newLabel();
      expectRefusal(await closeAll(run.main, { label: unused, tag: unused }), "BadRequest", "");
      for (const label of [5, [unused], "x".repeat(257)]) {
        expectRefusal(await closeAll(run.main, { label }), "BadRequest", "/label");
      }
      for (const tag of ["", 5, [unused], "x".repeat(MAX_TAG_LENGTH + 1)]) {
        expectRefusal(await closeAll(run.main, { tag }), "BadRequest", "/tag");
      }
    },
  },
  {
    ...LIMITED,
    id: "RBS-CLOSEALL-06",
    at: schema("CloseAllRequest"),
    sentence: "exactly one of the members. Any other request is a `BadRequest`.",
    covers: ["closeAllBrowsers 400"],
    isDetail: true,
    check: (run) =>
      onOwn(run, async (account, first) => {
        await using client = await connectDevtools(first);
        const { label, tags } = await infoOf(account, { address: first });
        expectEqual("the tags of a browser without tags", tags, []);
        // A faulty server may close all of the account's browsers in response to these requests.
        const nothing = [{}, { label: null, tag: null, all: null }, { Label: label }, { labels: [label] }];
        const several = [{ label }, { tag: "x" }, { label, tag: "x" }].map((which) => ({ all: true, ...which }));
        for (const wrong of [...nothing, ...several]) expectRefusal(await closeAll(account, wrong), "BadRequest", "");
        for (const all of [1, "true", {}]) expectRefusal(await closeAll(account, { all }), "BadRequest", "/all");
        await expectStays(client, 300, "the connection to a browser after a rejected CloseAll");
      }),
  },
  {
    ...LIMITED,
    id: "RBS-CLOSEALL-07",
    at: schema("CloseAllRequest", "all"),
    sentence: "`true` closes all of them. `false` is a `BadRequest`.",
    covers: ["closeAllBrowsers 200", "closeAllBrowsers 400"],
    check: (run) =>
      onOwn(run, async (account, first) => {
        const { id } = await openNamed(run, { Tags: ["second"] }, account);
        expectRefusal(await closeAll(account, { all: false }), "BadRequest");
        expectEqual("the browser's state after a rejected CloseAll", (await infoOf(account, { id }))["state"], "open");
        await expectNoOthers(run, account);
        expectEqual("closed", expectSuccess(await closeAll(account, { all: true }))["closed"], 2);
        const isLeft = (await account.listBrowsers()).some(({ address }) => address === first);
        expectThat(!isLeft, "no browsers to be listed after CloseAll", "a browser that is still listed");
        expectEqual("the browser's state after CloseAll", (await infoOf(account, { id }))["state"], "closed");
      }),
  },
  {
    id: "RBS-ISO-06",
    capability: "isolation",
    at: DESCRIPTION,
    sentence: "Closes the browsers of this account",
    needs: ["other-account"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const Label = run.newLabel();
      const { address } = await openNamed(run, { Label, Tags: [Label] });
      await using client = await connectDevtools(address);
      for (const which of [{ label: Label }, { tag: Label }]) {
        const { closed } = expectSuccess(await closeAll(run.account("other-account"), which));
        expectEqual("the number of closed browsers if only another account has matches", closed, 0);
      }
      await expectStays(client, 300, "the connection to another account's browser");
    },
  },
]);

function closeAll(account: Account, which: object): ReturnType<Account["call"]> {
  return account.call("closeAllBrowsers", which);
}

type Sides = Readonly<Record<"meant" | "others", readonly { id: string }[]>>;

/** @throws {Violation} Unless CloseAll has closed exactly the matching browsers when it responds. */
async function expectClosed(run: Run, which: object, { meant, others }: Sides): Promise<void> {
  const { closed } = expectSuccess(await closeAll(run.main, which));
  expectEqual("closed", closed, meant.length);
  const { sessions } = expectSuccess(await run.main.get());
  const listed = (Array.isArray(sessions) ? sessions : []).map(({ id }: { id: unknown }) => id);
  for (const { id } of meant) {
    expectThat(!listed.includes(id), "every matching browser to be closed when CloseAll returns", "a listed browser");
  }
  for (const { id } of others) {
    expectThat(listed.includes(id), "browsers with another label or tag to remain open", "a browser that isn't listed");
  }
  expectEqual(
    "the closed count when CloseAll is repeated",
    expectSuccess(await closeAll(run.main, which))["closed"],
    0,
  );
}

/**
 * Runs a scenario that may close all browsers of the `limited` account.
 * @throws {NotApplicable} If the account has browsers that were not opened by any run of this suite.
 */
async function onOwn(run: Run, scenario: (account: Account, first: string) => Promise<void>): Promise<void> {
  const account = run.account("limited");
  const isOfUsers = ({ label }: { readonly label: unknown }): boolean => !String(label).startsWith("conformance-");
  if ((await listForeign(run, account)).some(isOfUsers)) throw foreign();
  await onLimited(run, scenario);
}

/** @throws {NotApplicable} When the account has browsers that were not opened by this run. */
async function expectNoOthers(run: Run, account: Account): Promise<void> {
  if ((await listForeign(run, account)).length > 0) throw foreign();
}

function foreign(): NotApplicable {
  return new NotApplicable("CloseAll would close browsers of the limited account that were not opened by this run.");
}
