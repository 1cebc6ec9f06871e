import { setTimeout as sleep } from "node:timers/promises";
import type { Exchange } from "../target/exchange.ts";

const MAX_WAIT_S = 15;
const MAX_TRIES = 4;

/** Sends a request, and repeats it while the response is 503 with a `Retry-After` of 15 seconds or less. */
export async function sendWithRetries(send: () => Promise<Exchange>, maxTries = MAX_TRIES): Promise<Exchange> {
  for (let tries = 1; ; tries += 1) {
    const exchange = await send();
    const { status, headers } = exchange.received;
    const waitS = Number(headers["retry-after"]);
    if (status !== 503 || !(waitS <= MAX_WAIT_S) || tries === maxTries) return exchange;
    await sleep(waitS * 1000);
  }
}
