import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onRequest, refuseBody } from "../../faults/alter.ts";

type Members = Record<string, unknown>;

function onProxy(alter: (proxy: Members) => unknown): Fault {
  return onRequest("openBrowser", (options) =>
    Object.fromEntries(
      Object.entries(options).map(([name, value]) => [
        name,
        name.toLowerCase() === "proxy" && typeof value === "object" && value !== null ? alter(value as Members) : value,
      ]),
    ),
  );
}

function refuseProxy(isWrong: (proxy: Members) => boolean, place: string): Fault {
  return refuseBody("openBrowser", ({ Proxy: proxy }) =>
    proxy && isWrong(proxy as Members) ? `/Proxy/${place}` : undefined,
  );
}

/** Faults in accepting proxies. */
export const PROXY_MUTANTS: readonly Mutant[] = [
  mutant("proxy-half", ["RBS-PROXY-01"], "A proxy without a host or port is ignored", () =>
    onProxy((proxy) => ("Host" in proxy && "Port" in proxy ? proxy : null)),
  ),
  mutant("proxy-port-number", ["RBS-PROXY-02"], "A proxy's port can be a number", () =>
    onProxy((proxy) => (typeof proxy["Port"] === "number" ? { ...proxy, Port: String(proxy["Port"]) } : proxy)),
  ),
  mutant("proxy-port-any", ["RBS-PROXY-03"], "A proxy's port can be any string", () =>
    onProxy((proxy) =>
      typeof proxy["Port"] === "string" && proxy["Port"] !== "" ? { ...proxy, Port: "3128" } : proxy,
    ),
  ),
  mutant("proxy-port-too-high", ["RBS-PROXY-03"], "A proxy's port can be any five-digit number", () =>
    onProxy((proxy) => (/^[6-9]\d{4}$/.test(String(proxy["Port"])) ? { ...proxy, Port: "3128" } : proxy)),
  ),
  mutant("proxy-no-socks", ["RBS-PROXY-04"], "SOCKS proxies are rejected", () =>
    refuseProxy(({ Host }) => /^socks5:/i.test(String(Host)), "Host"),
  ),
  mutant("proxy-scheme-needed", ["RBS-PROXY-04"], "A proxy's host requires a scheme", () =>
    refuseProxy(({ Host }) => typeof Host === "string" && !Host.includes("://"), "Host"),
  ),
  mutant("proxy-any-scheme", ["RBS-PROXY-05"], "A proxy's host accepts any scheme", () =>
    onProxy((proxy) =>
      typeof proxy["Host"] === "string"
        ? { ...proxy, Host: proxy["Host"].replace(/^(?!https?:|socks5:)[\w+]+:\/\//, "http://") }
        : proxy,
    ),
  ),
  mutant("proxy-host-letters", ["RBS-PROXY-11"], "A proxy's name can't contain an underscore", () =>
    refuseProxy(({ Host }) => String(Host).includes("_"), "Host"),
  ),
  mutant("proxy-host-no-ipv6", ["RBS-PROXY-11"], "A proxy's IPv6 address is rejected", () =>
    refuseProxy(({ Host }) => /^\[?2001:.*:1\]?$/.test(String(Host)), "Host"),
  ),
  mutant("proxy-host-url", ["RBS-PROXY-12"], "A proxy's host may be a URL with credentials, a port or a path", () =>
    onProxy((proxy) => {
      const { Host } = proxy;
      const url = typeof Host === "string" && /[@/:]/.test(Host) ? URL.parse(Host) : null;
      return url?.hostname ? { ...proxy, Host: `${url.protocol}//${url.hostname}` } : proxy;
    }),
  ),
  mutant("proxy-host-dots", ["RBS-PROXY-12"], "A proxy's name may have empty labels", () =>
    onProxy((proxy) =>
      typeof proxy["Host"] === "string" ? { ...proxy, Host: proxy["Host"].replace(/^\.|\.(?=\.)/g, "") } : proxy,
    ),
  ),
  mutant("proxy-password-alone", ["RBS-PROXY-06"], "A password without a user name is accepted", () =>
    onProxy(({ Password, ...proxy }) =>
      typeof proxy["Username"] === "string" && Password !== undefined ? { ...proxy, Password } : proxy,
    ),
  ),
  mutant("proxy-user-alone", ["RBS-PROXY-07"], "A user name requires a password", () =>
    refuseProxy(({ Username, Password }) => typeof Username === "string" && typeof Password !== "string", "Password"),
  ),
  mutant("proxy-credentials-endless", ["RBS-PROXY-09"], "A proxy's user name and password have no length limit", () =>
    onProxy((proxy) =>
      Object.fromEntries(
        Object.entries(proxy).map(([name, value]) => [name, typeof value === "string" ? value.slice(0, 1024) : value]),
      ),
    ),
  ),
  mutant("proxy-host-empty", ["RBS-PROXY-08"], "An empty proxy host means no proxy", () =>
    onProxy((proxy) => (proxy["Host"] === "" ? null : proxy)),
  ),
  mutant("proxy-host-endless", ["RBS-PROXY-08"], "A proxy's host has no length limit", () =>
    onProxy((proxy) =>
      typeof proxy["Host"] === "string" && proxy["Host"].length > 100 ? { ...proxy, Host: "proxy.invalid" } : proxy,
    ),
  ),
];
