import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { toApiUrl } from "../../kit/api-url.ts";
import { toShellWord } from "../../kit/shell-word.ts";
import { curl } from "./curl.ts";
import { toLiteral } from "./way.ts";
import { WAYS } from "./ways.ts";

// What `new URL` leaves of everything that means something in a shell or in a string.
const URLS = [
  "https://browsers.example",
  "http://127.0.0.1:8080/eu",
  "https://browsers.example/it's/$HOME/$(id)/`id`/!!/a&b;c|d/%27/{x}/*?",
  'https://browsers.example/"quoted"/back\\slash/line\u{2028}break/größe/${x}#{x}/%s',
].map((text) => toApiUrl(new URL(new URL(text).pathname, text)));

test.each(URLS)("a shell takes %s as it is", (url) => {
  expect(execFileSync("/bin/sh", ["-c", `printf %s ${toShellWord(url)}`], { encoding: "utf8" })).toBe(url);
});

test.each(URLS)("the commands for curl send to %s", (url) => {
  const program = curl
    .toBlocks(url)
    .map(({ text }) => text)
    .join("");
  // In the place of curl: says where it was to send to.
  const script = `curl() { printf '%s\\n' "$2" >&3; }\n${program}`;
  const said = execFileSync("/bin/sh", ["-c", `{ ${script}\n} 3>&1 >/dev/null`], { encoding: "utf8" });
  const operations = ["Open", "StartRemoteDesktop", "Get", "Close"].map((name) => `${url}/api/v1/Browser/${name}`);
  expect(said.trimEnd().split("\n")).toEqual(operations);
});

test.each(URLS)("JavaScript takes %s as it is", (url) => {
  const said = execFileSync(process.execPath, ["--eval", `process.stdout.write(${toLiteral(url)})`]);
  expect(said.toString()).toBe(url);
});

test.each(URLS)("Python takes %s as it is", (url) => {
  const python = fileURLToPath(new URL("../../../../../.venv/bin/python", import.meta.url));
  expect(execFileSync(python, ["-c", `print(${toLiteral(url)}, end="")`], { encoding: "utf8" })).toBe(url);
});

test("a URL has nothing in it that Go and Java read otherwise than JavaScript: strings of theirs know no other escapes", () => {
  for (const url of URLS) expect(toLiteral(url)).toMatch(/^"[\x20\x21\x23-\x5b\x5d-\x7e]+"$/);
});

test("nothing that goes into a shell has a comment in it: zsh takes none at its prompt", () => {
  const shells = WAYS.flatMap((way) =>
    way.toBlocks("http://127.0.0.1").filter(({ id }) => (id === "program" ? way === curl : id !== "project")),
  );
  expect(shells.length).toBeGreaterThan(WAYS.length);
  for (const { text } of shells) expect(text).not.toContain("#");
});

test("every way has a program, and no two blocks of it are called alike", () => {
  for (const way of WAYS) {
    const ids = way.toBlocks("http://127.0.0.1").map(({ id }) => id);
    expect(ids).toContain("program");
    expect(new Set(ids).size).toBe(ids.length);
  }
});
