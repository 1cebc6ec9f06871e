import { misuse, startCommand } from "../command-line/src/command-line.ts";
import { runPrism } from "./mock/run-prism.ts";

const USAGE = `npm run mock -- [OPTIONS]

Responds to every operation with the contract's examples. See docs/mock.md.

  --port N     listen on this port (default: 4010); 0 means any free port
  --host HOST  listen on this address (default: 127.0.0.1)
`;

async function main(): Promise<number> {
  const options = {
    port: { type: "string", default: "4010" },
    host: { type: "string", default: "127.0.0.1" },
  } as const;
  const { port, host } = startCommand({ usage: USAGE, options }).values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    misuse(`--port must be a number from 0 to 65535, not ${JSON.stringify(port)}.`);
  }
  return await runPrism({ host, port }, (line) => console.log(line));
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
