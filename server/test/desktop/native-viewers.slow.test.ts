import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Command, startCommand } from "../../../clients/tunnel/test/command.ts";
import { connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { runProgram } from "../support/machine/run-program.ts";
import { readSnippets } from "../support/pages/snippets.ts";
import { until } from "../support/until.ts";
import { openViewerScreen } from "../support/desktop/viewer-screen.ts";

const PYTHON = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));

let server: RealServer;

beforeAll(async () => {
  server = await startServer();
});

afterEach(async () => {
  await Promise.all((await server.addresses()).map((address) => server.post("Close", { address })));
  await expectNothingHeld(server);
});

afterAll(() => server[Symbol.asyncDispose]());

type Shown = AsyncDisposable & {
  readonly address: string;
  readonly password: string;
  readonly tunnel: Command;
  /** The text typed into the page. */
  typed(): Promise<unknown>;
};

/** Opens a browser whose page is one blue text field, starts its desktop, and opens a tunnel to it. */
async function show(urlName: "rfbUrl" | "url" = "rfbUrl"): Promise<Shown> {
  await using acquired = new AsyncDisposableStack();
  const address = await server.open({ Headless: false });
  const devtools = acquired.use(await connectDevtools(address));
  const style = "position:fixed;inset:0;width:100%;height:100%;background:#3264c8;border:0";
  const evaluate = await openPage(
    devtools,
    `data:text/html,${encodeURIComponent(`<input autofocus style="${style}">`)}`,
  );
  const { body } = await server.post("StartRemoteDesktop", { address });
  const tunnel = acquired.use(startCommand([String(body[urlName]), "--port", "0"]));
  await tunnel.port;
  const resources = acquired.move();
  return {
    address,
    password: String(body["password"]),
    tunnel,
    typed: () => evaluate("document.querySelector('input').value"),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

test("TigerVNC's viewer asks for the password, shows the page, and types into it", async () => {
  await using shown = await show();
  await using screen = await openViewerScreen(2000, 1200);
  screen.start("vncviewer", [`127.0.0.1::${await shown.tunnel.port}`]);
  // The screen has no window manager to focus windows automatically.
  const dialog = ["search", "--sync", "--onlyvisible", "--name", "VNC authentication", "windowfocus", "--sync"];
  await screen.xdotool(...dialog, "type", shown.password);
  await screen.xdotool("key", "Return");
  const found = await screen.xdotool("search", "--sync", "--onlyvisible", "--name", "TigerVNC");
  const [window = ""] = found.trim().split("\n");
  const place = await screen.xdotool("getwindowgeometry", "--shell", window);
  const [x = 0, y = 0] = ["X", "Y"].map((name) => Number(new RegExp(`^${name}=(-?\\d+)$`, "m").exec(place)?.[1]) + 700);
  await until(
    async () => (await screen.display.capture()).at(x, y),
    (color) => color === "3264c8",
  );
  await screen.xdotool("windowfocus", "--sync", window, "mousemove", String(x), String(y), "click", "1");
  await screen.xdotool("type", "Typed by hand");
  await until(shown.typed, (text) => text === "Typed by hand");

  await server.post("StopRemoteDesktop", { address: shown.address });
  expect(await shown.tunnel.ended).toBe(3);
  expect(shown.tunnel.output.stderr).toBe("The desktop has stopped (desktop stopped).\n");
});

test("the unchanged Python example in docs/native-viewers.md sees the page and types into it", async () => {
  await using shown = await show("url");
  const folder = mkdtempSync(join(tmpdir(), "vnc-"));
  try {
    const [example = ""] = readSnippets("native-viewers.md", "python");
    const environment = { TUNNEL: `127.0.0.1::${await shown.tunnel.port}`, VNCPASS: shown.password };
    const command = ["-c", 'cd "$1" && exec "$2" -c "$3"', "sh", folder, PYTHON, example];
    expect(await runProgram("sh", command, environment)).toBe("(1920, 1080) (50, 100, 200)\n");
    await until(shown.typed, (text) => text === "Hello");
    expect(readFileSync(join(folder, "screen.png")).subarray(1, 4).toString()).toBe("PNG");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
