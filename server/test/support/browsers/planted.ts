import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROFILE_FOLDER } from "../../../src/adapters/chromium/launch/window.ts";

/** The extension's id, derived from its key. */
const ID = "knldjmfmopnpolahpmmgbagdohdnhkik";
const KEY =
  "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDcBHwzDvyBQ6bDppkIs9MP4ksKqCMyXQ/A52JivHZKh4YO/9vJsT3oaYhSpDCE9RPocOEQvwsHsFReW2nUEc6OLLyoCFFxIb7KkLGsmfakkut/fFdNJYh0xOTbSN8YvLWcqph09XAY2Y/f0AL7vfO1cuCqtkMt8hFrBGWxDdf9CQIDAQAB";
const HOST = "planted";

export const EXTENSION = { id: ID, page: `chrome-extension://${ID}/page.html`, folder: "/home/browser/extension" };

/** A program that creates a file when it runs. */
export const PROGRAM = "/home/browser/program";

/** A script that connects to the planted program, and resolves with the reason the connection ended. */
export const CONNECT = `new Promise((done) => {
  const port = chrome.runtime.connectNative("${HOST}");
  port.onDisconnect.addListener(() => done(chrome.runtime.lastError?.message));
})`;

/**
 * Writes an executable program into a sandbox, as a download could, along with the files that make a browser start the
 * program.
 */
export function plantProgram(home: string, path = PROGRAM): void {
  const origins = [`chrome-extension://${ID}/`];
  const host = { name: HOST, description: HOST, path, type: "stdio", allowed_origins: origins };
  const extension = { manifest_version: 3, name: HOST, version: "1", key: KEY, permissions: ["nativeMessaging"] };
  put(home, "program", "#!/bin/sh\necho ran >/home/browser/trace\n");
  put(home, `${PROFILE_FOLDER}/NativeMessagingHosts/${HOST}.json`, JSON.stringify(host));
  put(home, "extension/manifest.json", JSON.stringify(extension));
  put(home, "extension/page.html", "<title>extension</title>");
  const entry = `[Desktop Entry]\nType=Application\nName=${HOST}\nExec=/bin/sh ${PROGRAM} %u\nMimeType=x-scheme-handler/${HOST};\n`;
  put(home, `.local/share/applications/${HOST}.desktop`, entry);
  put(home, ".config/mimeapps.list", `[Default Applications]\nx-scheme-handler/${HOST}=${HOST}.desktop\n`);
}

/** Returns whether the program has run. */
export function hasRun(home: string): boolean {
  return existsSync(join(home, "trace"));
}

function put(home: string, name: string, content: string): void {
  const { uid } = statSync(home);
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, 0o755);
  for (let each = path; each !== home; each = dirname(each)) chownSync(each, uid, uid);
}
