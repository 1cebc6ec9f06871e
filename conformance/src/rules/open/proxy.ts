import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectThat, show } from "../../session/expect.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { outcomeOf } from "../../target/pages.ts";
import { expectAccepted, expectRefused } from "../../scenario/opening.ts";

/** Reserved by RFC 2606, so this name never resolves. */
const Host = "proxy.invalid";
const Port = "3128";
/** A site that does not exist either. */
const SITE = "http://site.invalid/";

const NO_PORTS = [
  ...["", "0", "65536", "99999", "123456", "080", "-1", "+80", "80.0"],
  ...["8e1", "0x50", " 80", "80 ", "80\n", "http"],
];

const NO_HOSTS = [
  ...[`traveller:secret@${Host}`, `${Host}:3128`, `${Host}/`, `http://${Host}/path`, `${Host}?query`, "http://"],
  ...[
    "proxy invalid",
    "proxy..invalid",
    ".invalid",
    "pröxy.invalid",
    `[${Host}]`,
    "[2001:db8::1",
    "[2001:db8::1]:3128",
  ],
];

const MAX_HOST = 262;
const MAX_CREDENTIAL = 1024;

/** Proxies that Open accepts. */
export const PROXY_RULES = scenarios({ capability: "proxy" }, [
  {
    id: "RBS-PROXY-10",
    at: schema("OpenOptions", "Proxy"),
    sentence: "The proxy for the browser's traffic.",
    covers: ["OpenOptions.Proxy"],
    opens: 2,
    async check(run) {
      const visit = async (options: object): Promise<string> => {
        await using devtools = await connectDevtools(await expectAccepted(run, options));
        return await outcomeOf(devtools, SITE);
      };
      const [without, through] = [await visit({}), await visit({ Proxy: { Host, Port } })];
      const expected = "a proxy that does not exist to change what a page shows";
      expectThat(without !== through, expected, `the same with and without it: ${show(through)}`);
    },
  },
  {
    id: "RBS-PROXY-01",
    at: schema("Proxy"),
    sentence: "`Host` and `Port` are required.",
    covers: ["openBrowser 400", "Proxy.Host", "Proxy.Port"],
    async check(run) {
      await expectRefused(run, { Proxy: { Port } }, "/Proxy/Host");
      await expectRefused(run, { Proxy: { Host } }, "/Proxy/Port");
      await expectRefused(run, { Proxy: { Host: null, Port } }, "/Proxy/Host");
      await expectRefused(run, { Proxy: { Host, Port: null } }, "/Proxy/Port");
      await expectRefused(run, { Proxy: {} }, "/Proxy/Host", "/Proxy/Port");
    },
  },
  {
    id: "RBS-PROXY-02",
    at: schema("Proxy", "Port"),
    sentence: "A JSON number is a `BadRequest`.",
    covers: ["openBrowser 400", "Proxy.Port"],
    check: (run) => expectRefused(run, { Proxy: { Host, Port: 3128 } }, "/Proxy/Port"),
  },
  {
    id: "RBS-PROXY-03",
    at: schema("Proxy", "Port"),
    sentence: "The proxy's port, from 1 to 65535, as a string of digits.",
    covers: ["openBrowser 400", "Proxy.Port"],
    async check(run) {
      for (const wrong of NO_PORTS) await expectRefused(run, { Proxy: { Host, Port: wrong } }, "/Proxy/Port");
    },
  },
  {
    id: "RBS-PROXY-04",
    at: schema("Proxy", "Host"),
    sentence: "It may begin with `http://`, which is the default, `https://` or `socks5://`",
    covers: ["OpenOptions.Proxy", "Proxy.Host", "Proxy.Port"],
    opens: 4,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      const ports = { "": "1", "http://": "3128", "https://": "443", "socks5://": "65535" };
      for (const [scheme, port] of Object.entries(ports)) {
        await run.main.close(await expectAccepted(run, { Proxy: { Host: `${scheme}${Host}`, Port: port } }));
      }
    },
  },
  {
    id: "RBS-PROXY-05",
    at: schema("Proxy", "Host"),
    sentence: "any other scheme is a `BadRequest`",
    covers: ["openBrowser 400", "Proxy.Host"],
    async check(run) {
      for (const scheme of ["ftp://", "socks4://", "ws://", "file:///"]) {
        await expectRefused(run, { Proxy: { Host: `${scheme}${Host}`, Port } }, "/Proxy/Host");
      }
    },
  },
  {
    id: "RBS-PROXY-06",
    at: schema("Proxy", "Password"),
    sentence: "A password without a user name is a `BadRequest`.",
    covers: ["openBrowser 400", "Proxy.Password"],
    async check(run) {
      const Password = "correct horse";
      await expectRefused(run, { Proxy: { Host, Port, Password } }, "/Proxy/Password");
      await expectRefused(run, { Proxy: { Host, Port, Username: null, Password } }, "/Proxy/Password");
    },
  },
  {
    id: "RBS-PROXY-07",
    at: schema("Proxy", "Username"),
    sentence: "User name for the proxy, of at most 1,024 characters.",
    covers: ["Proxy.Username", "Proxy.Password"],
    opens: 2,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      const longest = "x".repeat(MAX_CREDENTIAL);
      for (const credentials of [{ Username: longest }, { Username: null, Password: null }]) {
        await run.main.close(await expectAccepted(run, { Proxy: { Host, Port, ...credentials } }));
      }
    },
  },
  {
    id: "RBS-PROXY-08",
    at: schema("Proxy", "Host"),
    sentence: "It has 1 to 262 characters, including the scheme.",
    covers: ["openBrowser 400", "Proxy.Host"],
    async check(run) {
      for (const wrong of ["", Host.padStart(MAX_HOST + 1, "x."), 1, true, [Host]]) {
        await expectRefused(run, { Proxy: { Host: wrong, Port } }, "/Proxy/Host");
      }
    },
  },
  {
    id: "RBS-PROXY-11",
    since: "1.1",
    at: schema("Proxy", "Host"),
    sentence:
      "A name consists of ASCII letters, digits, `-` and `_`, in labels separated by dots, and may end with a dot. An IPv6 address may be in brackets.",
    covers: ["Proxy.Host"],
    opens: 3,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      // The addresses are reserved for documentation (RFC 3849).
      for (const right of ["Proxy-1.my_net.invalid.", "2001:db8::1", "http://[2001:db8::1]"]) {
        await run.main.close(await expectAccepted(run, { Proxy: { Host: right, Port } }));
      }
    },
  },
  {
    id: "RBS-PROXY-12",
    since: "1.1",
    at: schema("Proxy", "Host"),
    sentence: "Anything else, such as credentials, a port or a path, is a `BadRequest`.",
    covers: ["openBrowser 400", "Proxy.Host"],
    async check(run) {
      for (const wrong of NO_HOSTS) await expectRefused(run, { Proxy: { Host: wrong, Port } }, "/Proxy/Host");
    },
  },
  {
    id: "RBS-PROXY-09",
    at: schema("Proxy", "Username"),
    sentence: "of at most 1,024 characters",
    covers: ["openBrowser 400", "Proxy.Username", "Proxy.Password"],
    async check(run) {
      for (const wrong of ["x".repeat(MAX_CREDENTIAL + 1), 1, true, ["traveller"]]) {
        await expectRefused(run, { Proxy: { Host, Port, Username: wrong } }, "/Proxy/Username");
        await expectRefused(run, { Proxy: { Host, Port, Username: "traveller", Password: wrong } }, "/Proxy/Password");
      }
    },
  },
]);
