import { parseArgs } from "node:util";
import { runPrism } from "./mock/run-prism.ts";

/**
 * `npm run mock [-- --port N --host H]`: responds to every operation with the contract's examples. See docs/mock.md.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4010" },
      host: { type: "string", default: "127.0.0.1" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log("npm run mock [-- --port N] [-- --host H]: the contract's examples; see docs/mock.md");
    return 0;
  }
  const { port, host } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not ${JSON.stringify(port)}.`);
  }
  return await runPrism({ host, port }, (line) => console.log(line));
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
