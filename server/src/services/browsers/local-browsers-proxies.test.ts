import { expect, test } from "vitest";
import { heldBy, newRig, NOTHING } from "../../../test/support/servers/services-rig.ts";
import { Failure } from "../../domain/failure.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";

const [a, b]: [UpstreamProxy, UpstreamProxy] = [toProxy("a"), toProxy("b")];

function toProxy(host: string): UpstreamProxy {
  return { scheme: "http", host, port: 8080, credentials: undefined };
}

/** Services with two proxies and a host that records each browser's proxy and fails on demand. */
async function openRig() {
  const given: (UpstreamProxy | "nowhere" | undefined)[] = [];
  const next: { failure?: Failure } = {};
  const rig = await newRig({
    proxies: [a, b],
    host: (fake) => ({
      kinds: fake.kinds,
      async launch(spec, signal) {
        given.push(spec.proxy);
        if (next.failure !== undefined) throw next.failure;
        return fake.launch(spec, signal);
      },
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    }),
  });
  return { rig, given, next, account: await rig.account() };
}

test("a browser opened with its own proxy uses that proxy, and all other browsers share the deployment's proxies", async () => {
  const { rig, given, account } = await openRig();
  await using _rig = rig;
  const own = toProxy("own");
  await rig.open(account);
  await rig.open(account, { proxy: own });
  await rig.open(account);
  expect(given).toEqual([a, own, b]);
});

test("a browser returns its proxy whatever its end reason, even if it never opened", async () => {
  const { rig, given, next, account } = await openRig();
  await using _rig = rig;
  // This browser holds proxy a, so every later browser gets proxy b, once the previous browser has returned it.
  await rig.open(account, { keepOpenMs: 500_000 });
  const closed = await rig.open(account);
  await closed.close("requested");
  const inactive = await rig.open(account);
  await rig.clock.pass(30_000);
  await inactive.closed;
  next.failure = new Failure("BrowserUnavailable", "It did not start.");
  await rig.open(account).catch(() => undefined);
  delete next.failure;
  const caller = new AbortController();
  const abandoned = rig.open(account, {}, caller.signal);
  caller.abort(new Error("left"));
  await expect(abandoned).rejects.toThrow("left");
  await rig.open(account);
  expect(given).toEqual([a, b, b, b, b]);
});

test("if no proxy works, an Open request without its own proxy is refused and releases all resources", async () => {
  const { rig, given, account } = await openRig();
  await using _rig = rig;
  rig.probe.verdicts.set("a", "unreachable").set("b", "unreachable");
  await rig.clock.pass(30_000);
  await expect(rig.open(account)).rejects.toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
  expect(given).toEqual([]);
  expect(await heldBy(rig, account)).toEqual(NOTHING);
  expect(await rig.unitsUsed(account)).toBe(0);
  await rig.open(account, { proxy: toProxy("own") });
});
