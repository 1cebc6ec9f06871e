import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const FOLDER = fileURLToPath(new URL("python/browser_checks", import.meta.url));
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/**
 * A service that returns the given statuses for two Close requests, each after a delay. After the first request, the
 * service no longer lists the browser.
 */
const PROGRAM = `
import json, sys, time, types
folder, waited, statuses = sys.argv[1], float(sys.argv[2]), json.loads(sys.argv[3])
package = types.ModuleType("browser_checks")
package.__path__ = [folder]
sys.modules |= {"browser_checks": package, "requests": types.ModuleType("requests")}
clock = [0.0]
time.monotonic = lambda: clock[0]
from browser_checks.lifecycle import Lifecycle
class Service:
    is_closed = False
    def listed(self):
        return {} if self.is_closed else {"ws://a": {"address": "ws://a", "label": "mine"}}
    def close(self, address):
        self.is_closed = True
        clock[0] += waited
        return statuses.pop(0)
class Notes:
    def closed(self, address): pass
print(json.dumps(Lifecycle(Service(), Notes(), 1).opened("ws://a", {"Headless": True, "Label": "mine"}, False)))`;

test.skipIf(!hasPython).for([
  ["soon", 1, [200, 404], null],
  ["so late that the browser may have closed for inactivity", 60, [404, 404], null],
  ["with 429", 1, [429, 429], null],
  ["soon but wrongly", 1, [404, 404], ["Close to answer 200 for a browser that is open", "404"]],
  ["twice", 1, [200, 200], ["Close to answer 404 when it is called again", "200"]],
] as const)("a Close that responds %s", ([, waited, statuses, complaint]) => {
  const args = ["-B", "-c", PROGRAM, FOLDER, String(waited), JSON.stringify(statuses)];
  expect(JSON.parse(execFileSync("python3", args, { encoding: "utf8" }))).toEqual(complaint);
});
