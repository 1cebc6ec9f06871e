import { expect, test } from "vitest";
import { introduce } from "./welcome.ts";

const firstAccount = { email: "operator@localhost", token: "rbs_token", password: "a-b-c" };

function welcome(publicUrl: string | undefined, isFake = false, hasProgram = true, environment = {}): string {
  const service = { url: new URL("http://127.0.0.1:8080"), firstAccount };
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  return introduce(service, { environment, publicUrl: url, isFake, hasProgram });
}

test.each([
  [undefined, "http://127.0.0.1:8080/dashboard"],
  ["https://browsers.example", "https://browsers.example/dashboard"],
  ["https://browsers.example/eu/", "https://browsers.example/eu/dashboard"],
])("with the public URL %s, the dashboard's address is %s", (publicUrl, dashboard) => {
  expect(welcome(publicUrl)).toContain(`(for the dashboard: ${dashboard})`);
});

test("the first program calls the server on this machine, and is not offered for fake browsers", () => {
  expect(welcome("https://browsers.example")).toContain("RBS_URL=http://127.0.0.1:8080 RBS_TOKEN=rbs_token");
  expect(welcome(undefined, true)).not.toContain("RBS_URL");
});

test("a start that creates no account prints nothing", () => {
  const service = { url: new URL("http://127.0.0.1:8080"), firstAccount: undefined };
  expect(introduce(service, { environment: {}, publicUrl: undefined, isFake: false, hasProgram: true })).toBe("");
});

test("without the first program, the text links to the dashboard's quick start", () => {
  const text = welcome("https://browsers.example/eu", false, false);
  expect(text).toContain("sign in and follow https://browsers.example/eu/dashboard/quick-start");
  expect(text).not.toContain("first-browser");
});

test.each([
  [{}, "To replace them: npm run"],
  [{ RBS_DATA_DIR: "/srv/my data" }, "To replace them: RBS_DATA_DIR='/srv/my data' npm run"],
  [
    { RBS_DATABASE_URL: "postgres://db", RBS_DATA_DIR: "/srv" },
    "them, run this with all settings of the server: npm run",
  ],
  [{ RBS_PLANS: "plans.json", RBS_DATA_DIR: "/srv/rbs" }, "RBS_DATA_DIR=/srv/rbs RBS_PLANS=plans.json npm run"],
])("with %j, the recovery command uses the same accounts", (environment, words) => {
  expect(welcome(undefined, false, true, environment)).toContain(`${words} -s account -- password`);
});
