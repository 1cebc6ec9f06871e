#!/usr/bin/env node
import { argv, exit, stderr, stdout } from "node:process";
import { readCommandLine } from "../../../command-line/src/command-line.ts";
import manifest from "../package.json" with { type: "json" };
import { toPlainText, TunnelFailure } from "./failure.ts";
import { type Tunnel, type TunnelOptions, openTunnel } from "./open-tunnel.ts";

const USAGE = `remote-browser-tunnel ADDRESS [--port N]

  ADDRESS   the address that Open returned: its DevTools appear on 127.0.0.1:9222, like a local Chromium with
            --remote-debugging-port. For Selenium and other tools that only accept host and port.
            Or the rfbUrl or url that StartRemoteDesktop returned: VNC viewers connect to 127.0.0.1:5900
  --port N  listen on another port; 0 means a free port

If the server's certificate is signed by your own CA, name the CA's file in NODE_EXTRA_CA_CERTS.
Press Ctrl-C to close the tunnel. The browser stays open. Exit codes: 0 closed by you, 1 the tunnel could not be opened,
2 wrong usage, 3 the browser or its desktop has closed.
`;

const [OPENED, NOT_OPENED, MISUSED, ENDED] = [0, 1, 2, 3];

async function main(): Promise<number> {
  const wanted = readArguments();
  if (typeof wanted === "string") {
    stdout.write(wanted);
    return OPENED;
  }
  const interrupted = whenInterrupted();
  const opening = openTunnel({ ...wanted, onNotice: (notice) => stderr.write(`${notice}\n`) });
  await using tunnel = await Promise.race([opening, interrupted]);
  if (tunnel === undefined) return OPENED;
  stdout.write(describe(tunnel));
  const why = await Promise.race([tunnel.ended, interrupted]);
  if (why === undefined) return OPENED;
  stderr.write(`${why}\n`);
  return ENDED;
}

/**
 * Reads the command line.
 * @returns The help or version text if requested, or the tunnel's options.
 * @throws {TunnelFailure} `BadAddress` if an argument is invalid.
 */
function readArguments(): string | TunnelOptions {
  try {
    const options = { port: { type: "string" } } as const;
    const command = { usage: USAGE, version: manifest.version, options, maxArguments: Infinity };
    const read = readCommandLine(command, argv.slice(2));
    if (typeof read === "string") return read;
    const { values, positionals } = read;
    const [address] = positionals;
    if (address === undefined || positionals.length > 1) throw new Error("Give exactly one address.");
    return values.port === undefined ? { address } : { address, port: readPort(values.port) };
  } catch (error) {
    throw new TunnelFailure("BadAddress", `${(error as Error).message}\n\n${USAGE}`);
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
}

function whenInterrupted(): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  // `on`, not `once`: npm repeats the terminal's SIGINT, and without a listener, the second signal kills the process.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve(undefined));
  return promise;
}

function describe({ kind, port, version }: Tunnel): string {
  return kind === "devtools"
    ? `DevTools: 127.0.0.1:${port} connects to a ${toPlainText(version ?? "")}. The browser stays open while this runs, and every user of\nthis machine can control it. Press Ctrl-C to close the tunnel. The browser stays open.\n`
    : `VNC viewers: connect to 127.0.0.1:${port} (some: 127.0.0.1::${port}) with the password that Start returned. While this\nruns, every user of this machine can connect. Press Ctrl-C to close the tunnel. The desktop keeps running.\n`;
}

try {
  exit(await main());
} catch (error) {
  if (!(error instanceof TunnelFailure)) throw error;
  stderr.write(`${error.message}\n`);
  exit(error.name === "BadAddress" ? MISUSED : error.name === "NotFound" ? ENDED : NOT_OPENED);
}
