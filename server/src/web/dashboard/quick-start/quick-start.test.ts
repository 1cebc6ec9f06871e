import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeService, startFakeService } from "../../../../test/support/servers/fake-service.ts";
import { type PageUser, signIn, signUp } from "../../../../test/support/pages/page-user.ts";
import { readBlocks } from "../../../../test/support/pages/code-blocks.ts";
import { TOOLS } from "./quick-start-view.ts";

const PATH = "/dashboard/quick-start";

let server: FakeService;
beforeEach(async () => {
  server = await startFakeService();
});
afterEach(() => server[Symbol.asyncDispose]());

function operator(): Promise<PageUser> {
  const { email = "", password = "" } = server.service.firstAccount ?? {};
  return signIn(server.service.url, email, password);
}

test("without a plan or token, the page links to the settings and the tokens page", async () => {
  const { text } = await (await signUp(server.service.url)).get(PATH);
  expect(text).toMatch(/You need a plan[^<]*<a href="\/dashboard\/settings"/);
  expect(text).toMatch(/don't have a token yet. <a href="\/dashboard\/tokens"/);
});

test("with a plan and a token, the page shows the plan's name and the number of tokens", async () => {
  const { text } = await (await operator()).get(PATH);
  expect(text).toContain("<strong>self-hosted</strong>");
  expect(text).toContain("You have one token");
});

test("every program uses this server's URL and reads the token from the environment", async () => {
  const blocks = readBlocks((await (await operator()).get(PATH)).text);
  for (const { id } of TOOLS) {
    expect(blocks.get(`${id}-program`)).toContain(server.service.url.origin);
    expect(blocks.get(`${id}-program`)).not.toContain("rbs_");
  }
  expect(blocks.get("token")).toBe("export RBS_TOKEN=rbs_…");
});

test("programs use the public URL, including its path, rather than the request's URL", async () => {
  await using other = await startFakeService({ RBS_PUBLIC_URL: "http://127.0.0.1/eu/" });
  const { email = "", password = "" } = other.service.firstAccount ?? {};
  const user = await signIn(other.service.url, email, password);
  const blocks = readBlocks((await user.get(PATH)).text);
  expect(blocks.get("python-program")).toContain(`RemoteBrowserClient("http://127.0.0.1/eu")`);
  expect(blocks.get("curl-program")).toContain("http://127.0.0.1/eu/api/v1/Browser/Open");
});

test("Copy buttons copy the visible text; a block with a placeholder has no Copy button", async () => {
  const { text } = await (await operator()).get(PATH);
  const blocks = [...readBlocks(text)].filter(([id]) => id !== "token").map(([, block]) => block);
  const copied = [...text.matchAll(/data-copy="([^"]*)"/g)].map(([, one = ""]) => one);
  expect(copied).toHaveLength(blocks.length);
  for (const block of blocks) expect(readBlocks(copied.map(asBlock).join("")).values().toArray()).toContain(block);
});

test("after an error, the shell variable for the address is empty", async () => {
  const program = readBlocks((await (await operator()).get(PATH)).text).get("curl-program") ?? "";
  const [read = ""] = /address=.*/.exec(program) ?? [];
  const run = (answer: string): string =>
    execFileSync("sh", ["-c", `answer=$1\n${read}\nprintf %s "$address"`, "sh", answer], { encoding: "utf8" });
  expect(run('{"status":200,"address":"ws://x/y"}')).toBe("ws://x/y");
  expect(run('{"status":402,"name":"NoSubscription"}')).toBe("");
});

test("the URL can select a tool; an unknown tool selects the default", async () => {
  const user = await operator();
  const chosen = async (query: string): Promise<string[]> => {
    const { text } = await user.get(PATH + query);
    return [...text.matchAll(/value="(\w+)"\s+checked/g)].map(([, id = ""]) => id);
  };
  expect(await chosen("")).toEqual(["curl"]);
  expect(await chosen("?with=python")).toEqual(["python"]);
  expect(await chosen("?with=%3Cb%3E")).toEqual(["curl"]);
});

function asBlock(text: string, index: number): string {
  return `<pre id="${index}"><code>${text}</code></pre>`;
}
