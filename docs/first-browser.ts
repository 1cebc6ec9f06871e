// Opens a browser, reads a page's title, takes a screenshot, and closes the browser. Requires only Node 24: this file
// speaks the DevTools protocol directly, without Puppeteer or Playwright.
//
// RBS_TOKEN=… npx node docs/first-browser.ts [URL of a page]
import { writeFile } from "node:fs/promises";

const { RBS_URL = "http://127.0.0.1:8080", RBS_TOKEN } = process.env;
const [page = "data:text/html,<title>It works</title><h1>It works</h1>"] = process.argv.slice(2);

async function call(operation: string, options: object): Promise<{ address: string }> {
  const answer = await fetch(`${RBS_URL}/api/v1/Browser/${operation}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${RBS_TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify(options),
  });
  const body = (await answer.json()) as { address: string; name?: string; message?: string };
  if (!answer.ok) throw new Error(`${operation}: ${body.name}: ${body.message}`);
  return body;
}

type Message = { id?: number; method?: string; error?: { message: string }; result?: unknown };

const { address } = await call("Open", { Headless: true, Label: "first browser" });
try {
  const devtools = new WebSocket(address);
  const waiting = new Map<number | string, (message: Message) => void>();
  devtools.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    waiting.get(message.id ?? message.method ?? "")?.(message);
  });
  const next = (key: number | string): Promise<Message> => new Promise((resolve) => waiting.set(key, resolve));
  await new Promise((resolve, reject) => {
    devtools.addEventListener("open", resolve);
    devtools.addEventListener("error", reject);
  });

  let id = 0;
  async function send<Result>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    devtools.send(JSON.stringify({ id: ++id, method, params, sessionId }));
    const { error, result } = await next(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as Result;
  }

  // A new browser already has a page. Using that page is faster than opening another one.
  type Target = { targetId: string; type: string };
  const { targetInfos } = await send<{ targetInfos: Target[] }>("Target.getTargets");
  const targetId = targetInfos.find(({ type }) => type === "page")?.targetId;
  const attached = await send<{ sessionId: string }>("Target.attachToTarget", { targetId, flatten: true });
  const { sessionId } = attached;
  await send("Page.enable", {}, sessionId);
  const loaded = next("Page.loadEventFired");
  const { errorText } = await send<{ errorText?: string }>("Page.navigate", { url: page }, sessionId);
  if (errorText) throw new Error(`${page}: ${errorText}`);
  await loaded;
  const { product } = await send<{ product: string }>("Browser.getVersion");
  const evaluated = await send<{ result: { value: string } }>(
    "Runtime.evaluate",
    { expression: "document.title" },
    sessionId,
  );
  const picture = await send<{ data: string }>("Page.captureScreenshot", {}, sessionId);
  await writeFile("first-browser.png", picture.data, "base64");
  console.log(`${product} shows "${evaluated.result.value}"; its picture is in first-browser.png`);
  devtools.close();
} finally {
  await call("Close", { address });
}
