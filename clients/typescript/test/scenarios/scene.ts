import { randomBytes } from "node:crypto";
import { type ClientSettings, RemoteBrowserClient, type Session } from "../../src/index.ts";
import type { Scenario, Stage } from "./stage.ts";

/** One request that came in under a fault's URL; the status is null when no answer was sent. */
export type Logged = { readonly operation: string; readonly status: number | null };

/** The same server, with a fault before it. */
export type Fault = {
  readonly url: string;
  /** What came in, in order. */
  log(): Promise<readonly Logged[]>;
};

/** One scenario on one stage. */
export type Scene = {
  readonly stage: Stage;
  readonly scenario: Scenario;
  /** All that there are. */
  readonly scenarios: readonly Scenario[];
  /** Tells this scene's browsers from those of others. */
  readonly label: string;
  /** Whether the server remembers what it opened. */
  readonly hasState: boolean;
  readonly client: (settings?: ClientSettings) => RemoteBrowserClient;
  fault(name: string): Fault;
};

/** Carries out a scenario. @throws When it did not go as the table says. */
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

/** What the account has open under the scene's label. */
export async function listOwn({ client, label }: Scene): Promise<Session[]> {
  return (await client().list()).filter((session) => session.label === label);
}

/** Closes whatever is open under the scene's label. */
export async function closeOwn(scene: Scene): Promise<void> {
  for (const { address } of await listOwn(scene)) await scene.client().browser(address).close();
}
