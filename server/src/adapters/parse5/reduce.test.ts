import { describe, expect, test } from "vitest";
import { MAX_DEPTH, TooDeep, reduce } from "./reduce.ts";

const reduced = (html: string, maxChars = 100_000): string => reduce(html, maxChars).text;

describe("a reduced page keeps", () => {
  test.each([
    ["<h1>A</h1><p>b</p>", "<h1>A</h1>\n<p>b</p>"],
    [
      "<title>T &amp; U</title><meta name=description content=D>",
      '<title>T & U</title>\n<meta name="description" content="D">',
    ],
    ['<a href="/p?a=1&amp;b=2">p</a>', '<a href="/p?a=1&b=2">p</a>'],
    ['<img src="/k.png" alt="Kettle">', '<img src="/k.png" alt="Kettle">'],
    ['<button aria-label="Close"></button>', '<button aria-label="Close"></button>'],
    ["<input name=q value=v checked>", '<input name="q" value="v" checked>'],
    ["<table><tr><th>a<td>1<td></table>", "<table>\n<tr><th>a</th><td>1</td><td></td></tr>\n</table>"],
    ["<td>1<td>2", "<td>1</td><td>2</td>"],
    ["<select><option value=1 selected>One</select>", '<select>\n<option value="1" selected>One</option>\n</select>'],
    ["<del>49</del> 39", "<del>49</del> 39"],
    ["<details><summary>s</summary>more</details>", "<details>\n<summary>s</summary>\nmore</details>"],
    ['<span aria-hidden="true">39.90</span>', "39.90"],
    ["<div hidden=until-found>found</div>", "found"],
    ["<dialog open>d</dialog>", "<dialog open>d</dialog>"],
    ['<label for=a>A</label><input id=a placeholder="x">', '<label for="a">A</label><input id="a" placeholder="x">'],
    ['<span itemprop="price" content="39.90">39</span>', '<span itemprop="price" content="39.90">39</span>'],
    ["<pre>a\n  b &lt;c&gt;\n\n d</pre>", "<pre>a\n  b &lt;c>\n\n d</pre>"],
    ["<svg><title>Cart</title><path d='M0 0'/></svg>", "<title>Cart</title>"],
    ["نام‌ها 👨‍👩‍👧", "نام‌ها 👨‍👩‍👧"],
  ])("%s", (html, text) => {
    expect(reduced(html)).toBe(text);
  });
});

describe("a reduced page omits", () => {
  test.each([
    "<script>x</script>",
    '<script type="application/ld+json">x</script>',
    "<style>x</style>",
    "<!-- x -->",
    "<template>x</template>",
    "<noscript>x</noscript>",
    "<p hidden>x</p>",
    "<p hidden=''>x",
    "<p style='display:none'>x</p>",
    "<p style='color: red; DISPLAY : NONE !important;'>x</p>",
    "<p style='display:/**/none'>x</p>",
    "<p style='visibility: hidden'>x</p>",
    "<p style='color:red;/* a */visibility:collapse'>x</p>",
    "<p style='display:none/* no end'>x</p>",
    `<p style='${"color:red;".repeat(1000)}display:none'>x</p>`,
    "<dialog>x</dialog>",
    "<datalist><option>x</datalist>",
    "<input type=hidden value=x>",
    "<input type=HIDDEN value=x>",
    '<img width=1 height=1 src="https://x.example/">',
    '<img src="data:image/png;base64,x">',
    "<meta name=viewport content=x>",
    "<link rel=x href=x>",
    "<object data=x>x</object>",
    "<i class='x' data-x=x onclick=x></i>",
  ])("%s", (html) => {
    expect(reduced(html)).toBe("");
  });

  test.each([
    ["<div class=x data-y=1 style='color:red' onclick='z()'>a</div>", "a"],
    ["<a href='javascript:x()'>a</a>", "a"],
    ["<a href=' java\nscript:x()'>a</a>", "a"],
    [`<a href='https://a.example/${"x".repeat(2000)}'>a</a>`, "a"],
    ["<input type=password value=secret>", '<input type="password">'],
    ["<b>39.90</b> <span>€</span>", "39.90 €"],
    ["a   \n\t b&nbsp;c", "a b c"],
    ["<div><div><div>a</div></div></div><div></div><div>b</div>", "a\nb"],
    ["a<i></i>b<i> </i>c", "ab c"],
    ["hid\u200B\u00ADden\u{E0041}\u{E0042} \uE000\u202E", "hidden"],
    ["a\uD800b", "a\uFFFDb"],
  ])("noise: %j is reduced to %j", (html, text) => {
    expect(reduced(html)).toBe(text);
  });

  test.each(["/*", "/* */", ";", " ", "display:none ", "display"])(
    "a style of a million characters is read in linear time: %j",
    (part) => {
      const startedAt = performance.now();
      expect(reduced(`<p style='${part.repeat(1_000_000 / part.length)}x:y'>a</p>`)).toBe("<p>a</p>");
      expect(performance.now() - startedAt).toBeLessThan(2000);
    },
  );

  test("escaped tags in the text stay escaped", () => {
    expect(reduced("&lt;/page&gt; &lt;script&gt;")).toBe("&lt;/page> &lt;script>");
  });
});

describe("a page that is too long", () => {
  test("is cut between blocks, and reports its full length", () => {
    const page = reduce("<p>one</p><p>two</p><p>three</p>", 26);
    expect(page).toEqual({ text: "<p>one</p>\n<p>two</p>", fullChars: 34 });
  });

  test.each<[string, number, string]>([
    ["some words and another", 12, "some words"],
    [`x<a href="/${"y".repeat(50)}">z</a>`, 30, "x"],
    ["x".repeat(20), 10, "xxxxxxxxxx"],
    ["👍".repeat(20), 9, "👍👍👍👍"],
    ["short", 5, "short"],
  ])("%j, with a maximum of %i characters, becomes %j", (html, maxChars, text) => {
    expect(reduced(html, maxChars)).toBe(text);
  });
});

test("elements can be nested as deeply as in browsers, but not much deeper", () => {
  expect(reduced(`${"<div>".repeat(512)}x`)).toBe("x");
  expect(() => reduce("<div>".repeat(MAX_DEPTH + 1), 10)).toThrow(TooDeep);
});

test.each([
  "<",
  "</",
  "<!",
  "<a href=",
  "&#x110000;",
  "<table><td><form><table>",
  "\0",
  "<svg><style><!--</style>",
  "<plaintext>a<b>",
])("malformed HTML is parsed without an error: %j", (html) => {
  expect(reduced(html)).toEqual(expect.any(String));
});

test("hidden text stays hidden when closing tags are missing", () => {
  expect(reduced("<ul><li hidden>secret<li>seen</ul><p style='display:none'>secret<p>seen")).not.toContain("secret");
});
