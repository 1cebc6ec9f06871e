import { randomBytes, randomUUID } from "node:crypto";
import type { Fault, Mutant } from "../mutant.ts";
import { withIds } from "./ids.ts";
import { onAnswer } from "./alter.ts";

function onAddress(alter: (address: string) => string): Fault {
  return onAnswer("openBrowser", ({ body }) =>
    typeof body["address"] === "string" ? { body: { ...body, address: alter(body["address"]) } } : {},
  );
}

const inHex = (bytes: number): string => randomBytes(bytes).toString("hex");

/** The form, secrecy and uniqueness of addresses. */
export const ADDRESS_MUTANTS: readonly Mutant[] = [
  {
    id: "address-http",
    title: "An address begins with http://",
    killedBy: ["RBS-OPEN-01"],
    fault: () => onAddress((address) => address.replace(/^ws/, "http")),
  },
  {
    id: "address-no-scheme",
    title: "An address has no scheme",
    killedBy: ["RBS-OPEN-01"],
    fault: () => onAddress((address) => address.replace("ws://", "")),
  },
  {
    id: "address-token",
    title: "An address carries a token in its query",
    killedBy: ["RBS-OPEN-01"],
    fault: () => onAddress((address) => `${address}?token=${inHex(16)}`),
  },
  {
    id: "address-slash",
    title: "An address ends with a slash",
    killedBy: ["RBS-OPEN-01"],
    fault: () => onAddress((address) => `${address}/`),
  },
  {
    id: "address-listed-otherwise",
    title: "Get lists an address with another host name than Open returned",
    killedBy: ["RBS-LIST-01"],
    fault: () => onAddress((address) => address.replace("127.0.0.1", "localhost")),
  },
  {
    id: "id-short",
    title: "Ids have eight characters",
    killedBy: ["RBS-OPEN-01"],
    fault: () => withIds(() => inHex(4)),
  },
  {
    id: "id-sequential",
    title: "Ids are sequential numbers",
    killedBy: ["RBS-OPEN-18"],
    fault: () => {
      let last = 0;
      return withIds(() => String((last += 1)).padStart(32, "0"));
    },
  },
  {
    id: "id-time",
    title: "Ids consist of the time and a few random characters",
    killedBy: ["RBS-OPEN-18"],
    fault: () => withIds(() => `${process.hrtime.bigint().toString(16).padStart(24, "0")}${inHex(4)}`),
  },
  {
    id: "id-of-server",
    title: "Ids are long, but most of each is the name of the server",
    killedBy: ["RBS-OPEN-18"],
    fault: () => {
      const name = inHex(16);
      return withIds(() => name + inHex(4));
    },
  },
  {
    id: "id-32-bits-stretched",
    title: "Ids repeat four random bytes",
    killedBy: ["RBS-OPEN-18"],
    fault: () => withIds(() => inHex(4).repeat(4)),
  },
  {
    id: "id-same",
    title: "Browsers that open in the same second have the same address",
    killedBy: ["RBS-OPEN-17"],
    fault: () => {
      const ids = new Map<number, string>();
      return withIds(() => {
        const second = Math.floor(Date.now() / 1000);
        const id = ids.get(second) ?? inHex(16);
        ids.set(second, id);
        return id;
      });
    },
  },
  {
    id: "id-of-chromium",
    title: "Ids are Chromium's own UUIDs, with 122 random bits",
    killedBy: ["RBS-OPEN-18"],
    fault: () => withIds(() => randomUUID()),
  },
];
