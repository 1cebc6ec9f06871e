import { randomBytes, randomUUID } from "node:crypto";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { withIds } from "../../faults/ids.ts";
import { onAnswer } from "../../faults/alter.ts";

function onAddress(alter: (address: string) => string): Fault {
  return onAnswer("openBrowser", ({ body }) =>
    typeof body["address"] === "string" ? { body: { ...body, address: alter(body["address"]) } } : {},
  );
}

const inHex = (bytes: number): string => randomBytes(bytes).toString("hex");

/** The form, secrecy and uniqueness of addresses. */
export const ADDRESS_MUTANTS: readonly Mutant[] = [
  mutant("address-http", ["RBS-OPEN-01"], "An address begins with http://", () =>
    onAddress((address) => address.replace(/^ws/, "http")),
  ),
  mutant("address-no-scheme", ["RBS-OPEN-01"], "An address has no scheme", () =>
    onAddress((address) => address.replace("ws://", "")),
  ),
  mutant("address-token", ["RBS-OPEN-01"], "An address carries a token in its query", () =>
    onAddress((address) => `${address}?token=${inHex(16)}`),
  ),
  mutant("address-slash", ["RBS-OPEN-01"], "An address ends with a slash", () => onAddress((address) => `${address}/`)),
  mutant(
    "address-listed-otherwise",
    ["RBS-LIST-01"],
    "Get lists an address with another host name than Open returned",
    () => onAddress((address) => address.replace("127.0.0.1", "localhost")),
  ),
  mutant("id-short", ["RBS-OPEN-01"], "Ids have eight characters", () => withIds(() => inHex(4))),
  mutant("id-sequential", ["RBS-OPEN-18"], "Ids are sequential numbers", () => {
    let last = 0;
    return withIds(() => String((last += 1)).padStart(32, "0"));
  }),
  mutant("id-time", ["RBS-OPEN-18"], "Ids consist of the time and a few random characters", () =>
    withIds(() => `${process.hrtime.bigint().toString(16).padStart(24, "0")}${inHex(4)}`),
  ),
  mutant("id-of-server", ["RBS-OPEN-18"], "Ids are long, but most of each is the name of the server", () => {
    const name = inHex(16);
    return withIds(() => name + inHex(4));
  }),
  mutant("id-32-bits-stretched", ["RBS-OPEN-18"], "Ids repeat four random bytes", () =>
    withIds(() => inHex(4).repeat(4)),
  ),
  mutant("id-same", ["RBS-OPEN-17"], "Browsers that open in the same second have the same address", () => {
    const ids = new Map<number, string>();
    return withIds(() => {
      const second = Math.floor(Date.now() / 1000);
      const id = ids.get(second) ?? inHex(16);
      ids.set(second, id);
      return id;
    });
  }),
  mutant("id-of-chromium", ["RBS-OPEN-18"], "Ids are Chromium's own UUIDs, with 122 random bits", () =>
    withIds(() => randomUUID()),
  ),
];
