import { expect, test } from "vitest";
import { HasherBusy } from "../ports/password-hasher.ts";
import { turns } from "./turns.ts";

/** Until everything has gone on that could. */
const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told to. */
function newWork() {
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  return {
    started,
    run(name: string): () => Promise<string> {
      return () => {
        started.push(name);
        const end = Promise.withResolvers<string>();
        ends.set(name, end);
        return end.promise;
      };
    },
    end: (name: string): void => ends.get(name)?.resolve(name),
    fail: (name: string): void => ends.get(name)?.reject(new Error(name)),
  };
}

test("so much works at once, the rest in the order it came, and what finds no room in the line is not run", async () => {
  const inTurn = turns({ atOnce: 2, waiting: 2 });
  const work = newWork();
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => inTurn(work.run(name)));
  await expect(inTurn(work.run("e"))).rejects.toThrow(HasherBusy);
  await turnOfLoop();
  expect(work.started).toEqual(["a", "b"]);
  work.end("b");
  await b;
  await turnOfLoop();
  expect(work.started).toEqual(["a", "b", "c"]);
  const f = inTurn(work.run("f"));
  work.end("c");
  await c;
  work.end("a");
  await a;
  await turnOfLoop();
  expect(work.started).toEqual(["a", "b", "c", "d", "f"]);
  work.end("d");
  work.end("f");
  expect(await Promise.all([a, b, c, d, f])).toEqual(["a", "b", "c", "d", "f"]);
});

test("one that comes while a place goes over to the next in line does not come between", async () => {
  const inTurn = turns({ atOnce: 1, waiting: 9 });
  const work = newWork();
  const first = inTurn(work.run("first"));
  const second = inTurn(work.run("second"));
  const third = first.then(() => inTurn(work.run("third")));
  await turnOfLoop();
  work.end("first");
  await turnOfLoop();
  expect(work.started).toEqual(["first", "second"]);
  work.end("second");
  await second;
  await turnOfLoop();
  expect(work.started).toEqual(["first", "second", "third"]);
  work.end("third");
  expect(await third).toBe("third");
});

test("work that fails, also before it waits for anything, gives its place on", async () => {
  const inTurn = turns({ atOnce: 1, waiting: 2 });
  const work = newWork();
  const failed = Promise.allSettled([
    inTurn(work.run("failing")),
    inTurn(() => {
      throw new Error("at once");
    }),
  ]);
  const last = inTurn(work.run("last"));
  await turnOfLoop();
  work.fail("failing");
  expect((await failed).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await turnOfLoop();
  work.end("last");
  expect(await last).toBe("last");
  const next = inTurn(work.run("next"));
  await turnOfLoop();
  work.end("next");
  expect(await next).toBe("next");
});
