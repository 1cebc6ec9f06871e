import type { Fault, Mutant } from "../mutant.ts";
import { isFor, onCall, onRequest, refusal } from "./alter.ts";

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
  return onCall((request, body) => {
    if (!isFor(request, "openBrowser")) return undefined;
    try {
      const { Proxy: proxy } = JSON.parse(body) as { Proxy?: Members | null };
      return proxy && isWrong(proxy) ? refusal("BadRequest", `/Proxy/${place}`) : undefined;
    } catch {
      return undefined;
    }
  });
}

/** Which proxies Open accepts. */
export const PROXY_MUTANTS: readonly Mutant[] = [
  {
    id: "proxy-half",
    title: "A proxy without a host or port is ignored",
    killedBy: ["RBS-PROXY-01"],
    fault: () => onProxy((proxy) => ("Host" in proxy && "Port" in proxy ? proxy : null)),
  },
  {
    id: "proxy-port-number",
    title: "A proxy's port can be a number",
    killedBy: ["RBS-PROXY-02"],
    fault: () =>
      onProxy((proxy) => (typeof proxy["Port"] === "number" ? { ...proxy, Port: String(proxy["Port"]) } : proxy)),
  },
  {
    id: "proxy-port-any",
    title: "A proxy's port can be any string",
    killedBy: ["RBS-PROXY-03"],
    fault: () =>
      onProxy((proxy) =>
        typeof proxy["Port"] === "string" && proxy["Port"] !== "" ? { ...proxy, Port: "3128" } : proxy,
      ),
  },
  {
    id: "proxy-port-too-high",
    title: "A proxy's port can have any five digits",
    killedBy: ["RBS-PROXY-03"],
    fault: () => onProxy((proxy) => (/^[6-9]\d{4}$/.test(String(proxy["Port"])) ? { ...proxy, Port: "3128" } : proxy)),
  },
  {
    id: "proxy-no-socks",
    title: "SOCKS proxies are refused",
    killedBy: ["RBS-PROXY-04"],
    fault: () => refuseProxy(({ Host }) => /^socks5:/i.test(String(Host)), "Host"),
  },
  {
    id: "proxy-scheme-needed",
    title: "A proxy's host requires a scheme",
    killedBy: ["RBS-PROXY-04"],
    fault: () => refuseProxy(({ Host }) => typeof Host === "string" && !Host.includes("://"), "Host"),
  },
  {
    id: "proxy-any-scheme",
    title: "A proxy's host accepts any scheme",
    killedBy: ["RBS-PROXY-05"],
    fault: () =>
      onProxy((proxy) =>
        typeof proxy["Host"] === "string"
          ? { ...proxy, Host: proxy["Host"].replace(/^(?!https?:|socks5:)[\w+]+:\/\//, "http://") }
          : proxy,
      ),
  },
  {
    id: "proxy-password-alone",
    title: "A password without a user name is accepted",
    killedBy: ["RBS-PROXY-06"],
    fault: () =>
      onProxy(({ Password, ...proxy }) =>
        typeof proxy["Username"] === "string" && Password !== undefined ? { ...proxy, Password } : proxy,
      ),
  },
  {
    id: "proxy-user-alone",
    title: "A user name requires a password",
    killedBy: ["RBS-PROXY-07"],
    fault: () =>
      refuseProxy(({ Username, Password }) => typeof Username === "string" && typeof Password !== "string", "Password"),
  },
  {
    id: "proxy-credentials-endless",
    title: "The length of a proxy's user name and password is unlimited",
    killedBy: ["RBS-PROXY-09"],
    fault: () =>
      onProxy((proxy) =>
        Object.fromEntries(
          Object.entries(proxy).map(([name, value]) => [
            name,
            typeof value === "string" ? value.slice(0, 1024) : value,
          ]),
        ),
      ),
  },
  {
    id: "proxy-host-empty",
    title: "An empty host means no proxy",
    killedBy: ["RBS-PROXY-08"],
    fault: () => onProxy((proxy) => (proxy["Host"] === "" ? null : proxy)),
  },
  {
    id: "proxy-host-endless",
    title: "The length of a proxy's host is unlimited",
    killedBy: ["RBS-PROXY-08"],
    fault: () =>
      onProxy((proxy) =>
        typeof proxy["Host"] === "string" && proxy["Host"].length > 100 ? { ...proxy, Host: "proxy.invalid" } : proxy,
      ),
  },
];
