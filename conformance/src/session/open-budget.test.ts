import { expect, test } from "vitest";
import type { Exchange } from "../target/exchange.ts";
import { OpenBudget } from "./open-budget.ts";

function answer(status: number): Promise<Exchange> {
  const sent = { method: "POST", url: "http://127.0.0.1/", headers: {}, body: undefined };
  const received = { status, headers: {}, text: "", json: undefined };
  return Promise.resolve({ sent, received, operation: "openBrowser", startedAt: 0, endedAt: 0 });
}

test("concurrent Open requests do not exceed the budget, and rejected requests do not count", async () => {
  const budget = new OpenBudget({ max: 9, left: 2 });
  await budget.spend(() => answer(400));
  let sent = 0;
  const send = (): Promise<Exchange> => {
    sent += 1;
    return answer(200);
  };
  const ends = await Promise.allSettled([1, 2, 3, 4].map(() => budget.spend(send)));
  expect(sent).toBe(2);
  expect(budget.opened).toBe(2);
  expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(2);
  await expect(budget.spend(send)).rejects.toThrow("The run has used up its 9 browsers (--max-opens).");
});

test("an Open request without a response counts", async () => {
  const budget = new OpenBudget({ max: 1, left: 1 });
  await expect(budget.spend(() => Promise.reject(new Error("No answer.")))).rejects.toThrow("No answer.");
  await expect(budget.spend(() => answer(200))).rejects.toThrow("used up");
});

test("without a budget, the number of browsers is unlimited", async () => {
  const budget = new OpenBudget(undefined);
  await Promise.all(Array.from({ length: 50 }, () => budget.spend(() => answer(200))));
  expect(budget.opened).toBe(50);
});
