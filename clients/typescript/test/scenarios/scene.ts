import { randomBytes } from "node:crypto";
import { type ClientSettings, RemoteBrowserClient, type Session } from "../../src/index.ts";
import type { Scenario, Stage } from "./stage.ts";

/** A request that was sent to a fault's URL. The status is null if no response was sent. */
type Logged = { readonly operation: string; readonly status: number | null };

/** A URL of the same server, for which the proxy injects a fault. */
export type Fault = {
  readonly url: string;
  /** Returns the requests in the order in which they arrived. */
  log(): Promise<readonly Logged[]>;
};

/** One scenario on one stage. */
export type Scene = {
  readonly stage: Stage;
  readonly scenario: Scenario;
  /** All scenarios in the table. */
  readonly scenarios: readonly Scenario[];
  /** A label that distinguishes this scene's browsers from other browsers. */
  readonly label: string;
  /** Whether the server keeps track of open browsers. */
  readonly hasState: boolean;
  readonly client: (settings?: ClientSettings) => RemoteBrowserClient;
  fault(name: string): Fault;
};

/** Runs a scenario. @throws If the scenario fails. */
export type Play = (scene: Scene) => Promise<void>;

export function openScene(scenario: Scenario, stage: Stage, scenarios: readonly Scenario[]): Scene {
  const nonce = randomBytes(8).toString("hex");
  return {
    stage,
    scenario,
    scenarios,
    label: `${scenario.id} ${nonce}`,
    hasState: stage.name !== "mock",
    client: (settings = {}) => new RemoteBrowserClient({ url: stage.url, token: stage.token, ...settings }),
    fault(name) {
      const url = `${stage.url}/~${name}~${nonce}`;
      return {
        url,
        async log() {
          const answer = await fetch(`${url}/log`);
          return ((await answer.json()) as { requests: Logged[] }).requests;
        },
      };
    },
  };
}

/** Lists the account's open browsers that have the scene's label. */
export async function listOwn({ client, label }: Scene): Promise<Session[]> {
  return (await client().list()).filter((session) => session.label === label);
}

/** Closes the browsers that have the scene's label. */
export async function closeOwn(scene: Scene): Promise<void> {
  for (const { address } of await listOwn(scene)) await scene.client().browser(address).close();
}
