import { expect, test } from "vitest";
import { readAnswer } from "./read-answer.ts";
import { InvalidAnswerError } from "./remote-browser-error.ts";

const response = new Response(null, { headers: { "Content-Type": "text/html" } });

const SESSION = { startedOn: "2026-03-14T09:26:53.589Z", label: null, address: "ws://secret", vncpass: null };

test("a response may have unknown members", () => {
  const body = { sessions: [{ ...SESSION, new: {} }], new: [1] };
  expect(readAnswer("getBrowsers", { data: JSON.stringify(body), response }, "t")).toStrictEqual(body);
});

test("a query's value may be of any type", () => {
  for (const value of [null, 1, "a", [], {}]) {
    const data = JSON.stringify({ status: 200, response: "", value });
    expect(readAnswer("queryAi", { data, response }, "t").value).toStrictEqual(value);
  }
});

test.each([
  ["", "isn't JSON: 0 characters of text/html"],
  ["<p>secret</p>", "isn't JSON: 13 characters of text/html"],
  ['{"sessions": [{"address": "secret', "isn't JSON"],
  ["[]", "it is array, not object"],
  ["null", "it is null, not object"],
  ["{}", "/sessions is missing"],
  [JSON.stringify({ sessions: {} }), "/sessions is object, not array"],
  [
    JSON.stringify({ sessions: [SESSION, { ...SESSION, label: 1 }] }),
    "/sessions/1/label is integer, not string or null",
  ],
  [JSON.stringify({ sessions: [{ ...SESSION, vncpass: undefined }] }), "/sessions/0/vncpass is missing"],
])("%s is refused, and the error doesn't show it", (data, words) => {
  const read = () => readAnswer("getBrowsers", { data, response }, "rbs_t");
  expect(read).toThrow(InvalidAnswerError);
  expect(read).toThrow(words);
  expect(read).not.toThrow(/secret/);
});

test("a token in the Content-Type header is hidden", () => {
  const echo = new Response(null, { headers: { "Content-Type": "text/rbs_secret" } });
  const read = () => readAnswer("getBrowsers", { data: "", response: echo }, "rbs_secret");
  expect(read).toThrow("0 characters of text/…");
});

test("bytes are returned unless their media type isn't declared", () => {
  const data = Uint8Array.of(0x89, 0x50, 0, 0xff).buffer;
  const readAs = (type: string) => () =>
    readAnswer(
      "takeScreenshotImage",
      { data, response: new Response(null, { headers: { "Content-Type": type } }) },
      "rbs_t",
    );
  expect(readAs("image/png")()).toStrictEqual(new Uint8Array(data));
  expect(readAs("text/html")).toThrow(InvalidAnswerError);
  expect(readAs("text/html")).toThrow("it is text/html");
});
