import { operations } from "@remote-browser/contract/operations";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type FakeService, startFakeService } from "../../test/support/servers/fake-service.ts";
import { StoreUnavailable } from "../ports/store/store.ts";
import { ProviderKeys } from "../services/accounts/provider-keys.ts";
import { Tokens } from "../services/accounts/tokens.ts";

const UNAVAILABLE = "The server's database doesn't answer at this moment. Try again in 5 s.";

let fake: FakeService;
beforeAll(async () => {
  fake = await startFakeService();
});
afterAll(() => fake[Symbol.asyncDispose]());

test.each(Object.values(operations))(
  "$path returns a declared 503 while the database is unavailable",
  async (operation) => {
    using authenticate = vi.spyOn(Tokens.prototype, "authenticate");
    authenticate.mockRejectedValueOnce(new StoreUnavailable("The disk is full."));
    const { body } = await fake.send(operation.method.toUpperCase(), operation.path);
    expect(body).toMatchObject({ status: 503, message: UNAVAILABLE });
    expect(operation.failures).toContain(body["name"]);
  },
);

test("Query returns ProviderUnavailable while the account's provider key can't be read", async () => {
  using find = vi.spyOn(ProviderKeys.prototype, "find");
  find.mockRejectedValueOnce(new StoreUnavailable("The disk is full."));
  const { body } = await fake.post(operations.queryAi.path, { html: "h", prompt: "p" });
  expect(body).toMatchObject({
    name: "ProviderUnavailable",
    message: UNAVAILABLE,
  });
});
