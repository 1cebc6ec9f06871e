import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { toApiUrl, toShellWord } from "../../kit/format.ts";
import { curl } from "./curl.ts";
import { puppeteer } from "./node.ts";
import { toLiteral } from "./tool.ts";
import { TOOLS } from "./quick-start-view.ts";

// All characters that `new URL` leaves unescaped and that are special in a shell or a string.
const URLS = [
  "https://browsers.example",
  "http://127.0.0.1:8080/eu",
  "https://browsers.example/it's/$HOME/$(id)/`id`/!!/a&b;c|d/%27/{x}/*?",
  'https://browsers.example/"quoted"/back\\slash/line\u{2028}break/größe/${x}#{x}/%s',
].map((text) => toApiUrl(new URL(new URL(text).pathname, text)));

test.each(URLS)("a shell reads %s unchanged", (url) => {
  expect(execFileSync("/bin/sh", ["-c", `printf %s ${toShellWord(url)}`], { encoding: "utf8" })).toBe(url);
});

test.each(URLS)("the curl commands call %s", (url) => {
  const program = curl
    .toBlocks(url)
    .map(({ text }) => text)
    .join("");
  // Replaces curl with a function that prints the URL.
  const script = `curl() { printf '%s\\n' "$2" >&3; }\n${program}`;
  const said = execFileSync("/bin/sh", ["-c", `{ ${script}\n} 3>&1 >/dev/null`], { encoding: "utf8" });
  const operations = ["Open", "StartRemoteDesktop", "Get", "Close"].map((name) => `${url}/api/v1/Browser/${name}`);
  expect(said.trimEnd().split("\n")).toEqual(operations);
});

test.each(URLS)("JavaScript reads %s unchanged", (url) => {
  const said = execFileSync(process.execPath, ["--eval", `process.stdout.write(${toLiteral(url)})`]);
  expect(said.toString()).toBe(url);
});

test.each(URLS)("Python reads %s unchanged", (url) => {
  const python = fileURLToPath(new URL("../../../../../.venv/bin/python", import.meta.url));
  expect(execFileSync(python, ["-c", `print(${toLiteral(url)}, end="")`], { encoding: "utf8" })).toBe(url);
});

test("a URL contains no characters that Go and Java escape differently from JavaScript", () => {
  for (const url of URLS) expect(toLiteral(url)).toMatch(/^"[\x20\x21\x23-\x5b\x5d-\x7e]+"$/);
});

test("shell commands contain no comments, which zsh rejects at its prompt", () => {
  const shells = TOOLS.flatMap((tool) =>
    tool.toBlocks("http://127.0.0.1").filter(({ id }) => (id === "program" ? tool === curl : id !== "project")),
  );
  expect(shells.length).toBeGreaterThan(TOOLS.length);
  for (const { text } of shells) expect(text).not.toContain("#");
});

test("every tool has a program, and its blocks have unique ids", () => {
  for (const tool of TOOLS) {
    const ids = tool.toBlocks("http://127.0.0.1").map(({ id }) => id);
    expect(ids).toContain("program");
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test("the README contains the Puppeteer program under a file name that Node treats as a module in any folder", () => {
  const readme = readFileSync(fileURLToPath(new URL("../../../../../README.md", import.meta.url)), "utf8");
  const program = puppeteer.toBlocks("http://127.0.0.1:8080").find(({ id }) => id === "program");
  expect(readme).toContain(`\`${program?.title}\``);
  expect(readme).toContain(`\`\`\`js\n${program?.text}\`\`\`\n`);
});
