import { expect, test } from "vitest";
import type { Act, Answer } from "./answer.ts";
import { explain } from "./explain.ts";
import { isMismatch, momentsOf } from "./judge.ts";
import { EMPTY, type KnownBrowser, type Mismatch, type Model, withBrowser } from "./model.ts";
import type { Step } from "./step.ts";

const OPEN: KnownBrowser = {
  address: "ws://a/devtools/browser/1",
  label: "one",
  isGraphical: true,
  state: "open",
  causes: [],
  desktop: undefined,
  oldPasswords: [],
  startedOn: undefined,
};
const FIRST = { password: "first111", viewPassword: "view1111" };
const SECOND = { password: "second22", viewPassword: "view2222" };
const STARTED: KnownBrowser = { ...OPEN, desktop: { full: FIRST.password, viewOnly: FIRST.viewPassword } };

function act(step: Step, status: number, body: Record<string, unknown> = {}): Act {
  const name = ({ 404: "BrowserNotFound", 409: "DesktopUnavailable" } as Record<number, string>)[status];
  return { step, answer: { kind: "answered", status, name, paths: [], body }, ends: [] };
}

const close = (status: number): Act => act({ do: "close", browser: 1, form: "as given" }, status);
const start = (status: number, body = {}): Act => act({ do: "start", browser: 1, form: "as given" }, status, body);
const stop = (status: number): Act => act({ do: "stop", browser: 1, form: "as given" }, status);
const get = (...vncpass: readonly unknown[]): Act => {
  const sessions = vncpass.map((each) => ({
    address: OPEN.address,
    label: "one",
    startedOn: "2026-01-01T00:00:00.000Z",
    vncpass: each,
  }));
  return act({ do: "get" }, 200, { sessions });
};

function after(known: KnownBrowser, ...acts: readonly Act[]): readonly Model[] | Mismatch {
  return explain([withBrowser(EMPTY, 1, known)], acts);
}

/** Returns the possible states of the browser after concurrent steps. Empty if no order explains the responses. */
function states(known: KnownBrowser, ...acts: readonly Act[]): readonly unknown[] {
  const explained = after(known, ...acts);
  if ("expected" in explained) return [];
  return explained.map(({ browsers }) => [browsers.get(1)?.state, browsers.get(1)?.desktop?.full]);
}

test("one or both of two concurrent Close requests may succeed", () => {
  expect(states(OPEN, close(200), close(200))).toEqual([["closed", undefined]]);
  expect(states(OPEN, close(404), close(200))).toEqual([["closed", undefined]]);
  expect(states(OPEN, close(404), close(404))).toEqual([]);
});

test("a request rejected by the rate limit has no effect", () => {
  const refused: Answer = { kind: "answered", status: 429, name: "TooManyRequests", paths: [], body: {} };
  const tooFast: Act = { step: { do: "close", browser: 1, form: "as given" }, answer: refused, ends: [] };
  expect(states(OPEN, tooFast)).toEqual([["open", undefined]]);
  expect(states(OPEN, tooFast, close(200))).toEqual([["closed", undefined]]);
  expect(isMismatch(momentsOf({ ...tooFast, step: { do: "get" } })[0]?.(EMPTY) ?? EMPTY)).toBe(false);
});

test("a Close request sent after another Close has succeeded returns 404", () => {
  const closed: KnownBrowser = { ...OPEN, state: "closed" };
  expect(states(closed, close(404))).toEqual([["closed", undefined]]);
  expect(states(closed, close(200))).toEqual([]);
});

test("concurrent Start requests return the same passwords", () => {
  expect(states(OPEN, start(200, FIRST), start(200, FIRST))).toEqual([["open", "first111"]]);
  expect(states(OPEN, start(200, FIRST), start(200, SECOND))).toEqual([]);
});

test("two Start requests with a Stop request between them may return different passwords, and either password may remain valid", () => {
  expect(states(OPEN, start(200, FIRST), stop(200), start(200, SECOND))).toEqual([
    ["open", "second22"],
    ["open", "first111"],
  ]);
});

test("the list shows the result of concurrent Start and Stop requests", () => {
  const models = after(OPEN, start(200, FIRST), stop(200));
  if ("expected" in models) throw new Error("Expected an order of steps that explains the responses.");
  expect(models).toHaveLength(2);
  expect(explain(models, [get(null)])).toHaveLength(1);
  expect(explain(models, [get("first111")])).toHaveLength(1);
  expect(explain(models, [get("another1")])).toHaveProperty("expected");
});

test("a closing browser's desktop may stop before the browser leaves the list", () => {
  expect(states(STARTED, close(200), get(null))).toEqual([["closed", undefined]]);
  expect(states(STARTED, close(200), get())).toEqual([["closed", undefined]]);
  expect(states(STARTED, get(null))).toEqual([]);
  expect(states(STARTED, get())).toEqual([]);
});

test("a started desktop keeps its passwords, and a restarted desktop has new passwords", () => {
  expect(states(STARTED, start(200, SECOND))).toEqual([]);
  const stopped: KnownBrowser = { ...OPEN, oldPasswords: [FIRST.password, FIRST.viewPassword] };
  expect(states(stopped, start(200, FIRST))).toEqual([]);
  expect(states(stopped, start(200, SECOND))).toEqual([["open", "second22"]]);
});

test("the latest password works only while the desktop is started", () => {
  const watched = (isIn: boolean): Act => {
    const answer: Answer = { kind: "watched", isIn, password: FIRST.password };
    return { step: { do: "watch", browser: 1 }, answer, ends: [] };
  };
  expect(states(STARTED, watched(true))).toHaveLength(1);
  expect(states(STARTED, watched(false))).toEqual([]);
  expect(states(OPEN, watched(false))).toHaveLength(1);
  expect(states(OPEN, watched(true))).toEqual([]);
});

test("clients receive the reason why their browser closed", () => {
  const closed = (reason: string): Act => ({ ...close(200), ends: [{ code: 1000, reason }] });
  expect(states(OPEN, closed("browser closed: requested"))).toHaveLength(1);
  expect(states(OPEN, closed("browser closed: exited"))).toEqual([]);
  expect(states(OPEN, { ...close(200), ends: [undefined] })).toEqual([]);
});
