import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { get, type IncomingMessage, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createAdaptorServer } from "@hono/node-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findSources, listPackageFiles, readPageFiles } from "../../adapters/file-system/page-files.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import type { Assets } from "../../ports/assets.ts";
import { mountAssets } from "./assets.ts";
import { newServiceApp } from "../../api/app.ts";
import { systemClock } from "../../adapters/node/system-clock.ts";

let folder: string;
let own: Assets;
let server: Server;
const mounted: Record<string, string> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-assets-"));
  await mkdir(join(folder, "page/lib"), { recursive: true });
  await writeFile(join(folder, "secret.js"), "secret");
  await writeFile(join(folder, "page/style.css"), "a{}");
  await writeFile(join(folder, "page/start.js"), "start()");
  await writeFile(join(folder, "page/lib/part.js"), "part()");
  await writeFile(join(folder, "page/icon.svg"), "<svg/>");
  await writeFile(join(folder, "page/notes.ts"), "const note = 1;");
  own = readPageFiles(findSources(join(folder, "page"), "**/*.{js,css,svg}"));
  const app = newServiceApp({
    newRequestId: () => "id",
    pathPrefix: "/eu",
    origins: new Set(),
    isHttpsOnly: false,
    clock: systemClock,
    log: new RecordingLog(),
  });
  mounted["own"] = mountAssets(app, "/assets/", own);
  const large = findSources(join(folder, "page"), "*.js", "lib");
  mounted["package"] = mountAssets(app, "/assets/lib/", listPackageFiles(large, "1.2.3"));
  const { fetch } = app;
  server = createAdaptorServer({ fetch }) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
});

type Answered = {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
};

/** Sends the path unchanged, unlike `fetch`. */
async function ask(path: string, encodings = ""): Promise<Answered> {
  const { port } = server.address() as AddressInfo;
  const asked = get({ port, host: "127.0.0.1", path, agent: false, headers: { "Accept-Encoding": encodings } });
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const bytes = Buffer.concat((await answer.toArray()) as Buffer[]);
  return { status: answer.statusCode, headers: answer.headers, bytes };
}

test.each([
  ["style.css", "text/css; charset=utf-8", "a{}"],
  ["start.js", "text/javascript; charset=utf-8", "start()"],
  ["lib/part.js", "text/javascript; charset=utf-8", "part()"],
  ["icon.svg", "image/svg+xml", "<svg/>"],
])("%s is served with its type, permanent caching and nosniff", async (name, type, text) => {
  const { status, headers, bytes } = await ask(`/${mounted["own"]}${name}`);
  expect([status, bytes.toString()]).toEqual([200, text]);
  expect(headers).toMatchObject({
    "content-type": type,
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    vary: "Accept-Encoding",
  });
  expect(headers["content-encoding"]).toBeUndefined();
});

test.each(["own", "package"])(
  "%s files are compressed if the client accepts gzip, with the same content",
  async (which) => {
    const path = `/${mounted[which]}${which === "own" ? "" : "lib/"}start.js`;
    for (const encodings of ["gzip, br", "br, gzip;q=0.5"]) {
      const { status, headers, bytes } = await ask(path, encodings);
      expect([status, headers["content-encoding"]]).toEqual([200, "gzip"]);
      expect(gunzipSync(bytes).toString()).toBe("start()");
    }
    const plain = await ask(path, "br");
    expect([plain.headers["content-encoding"], plain.bytes.toString()]).toEqual([undefined, "start()"]);
  },
);

test.each([
  "notes.ts",
  "../../secret.js",
  "%2e%2e/%2e%2e/secret.js",
  "..%2f..%2fsecret.js",
  "/etc/passwd",
  "lib",
  "constructor",
  "",
])("the response to a path outside the list of files is 404: %s", async (name) => {
  expect((await ask(`/${mounted["own"]}${name}`)).status).toBe(404);
});

test("the response to a path with a different version is 404", async () => {
  expect((await ask("/assets/000000000000/start.js")).status).toBe(404);
  expect((await ask("/assets/lib/1.2.2/lib/start.js")).status).toBe(404);
});

test("files are served below the public URL's path", async () => {
  expect((await ask(`/eu/${mounted["own"]}start.js`)).status).toBe(200);
});

test("the version depends only on the files' contents and names, and on the template", async () => {
  const sources = findSources(join(folder, "page"), "*.{js,css}");
  const { version } = readPageFiles(sources);
  expect(readPageFiles(sources.toReversed()).version).toBe(version);
  expect(readPageFiles(findSources(join(folder, "page"), "*.{js,css}", "other")).version).not.toBe(version);
  expect(readPageFiles(sources, "<html>").version).not.toBe(version);
  await writeFile(join(folder, "page/style.css"), "b{}");
  expect(readPageFiles(sources).version).not.toBe(version);
  // The version identifies the files' original content, which the server still serves.
  expect((await ask(`/${mounted["own"]}style.css`)).bytes.toString()).toBe("a{}");
});

test("a package's file is read on request, and the read is retried after a failure", async () => {
  const files = listPackageFiles([["late.js", join(folder, "late.js")]], "1.0.0").files;
  await expect(files.get("late.js")?.gzipped()).rejects.toThrow("ENOENT");
  await writeFile(join(folder, "late.js"), "late()");
  expect(Buffer.from((await files.get("late.js")?.read()) ?? []).toString()).toBe("late()");
  expect(gunzipSync((await files.get("late.js")?.gzipped()) ?? "").toString()).toBe("late()");
});
