import type { Held } from "./checks/check-machine.ts";
import type { Query } from "../support/databases/exact.ts";
import { type History, type Session, certainlyOpen } from "./history.ts";
import type { Invariant } from "./checks/violations.ts";

/** The evidence that a run leaves for the checkers. */
export type Evidence = {
  readonly history: History;
  readonly query: Query;
  /** Resources that servers held after the load. */
  readonly held: Held[];
  /** Browsers whose rows still existed a minute after the load. */
  readonly left: { readonly id?: string; readonly label?: string }[];
};

/** A fault planted in a run's evidence, which a checker must find. */
export type Plant = {
  /** The invariant whose violation must be reported. */
  readonly finds: Invariant;
  readonly plant: (evidence: Evidence) => Promise<void> | void;
};

/** An ended browser that a client had received. */
const ONE = "(select id from ended_browsers where label is not null and reason = 'requested' order by id limit 1)";
const ONE_ACCOUNT = `(select account_id from ended_browsers where id = ${ONE})`;

export const PLANTS = {
  "more browsers than the limit": {
    finds: "1",
    plant: ({ history }) => {
      const session = findUsed(history);
      const { fromMs = 0, toMs = 0 } = certainlyOpen(history, session) ?? {};
      const more = (history.limits.get(session.account) ?? 0) + 1;
      for (let at = 0; at < more; at += 1)
        history.sessions.push({ ...session, answeredMs: fromMs, closeRequestedMs: toMs, received: [] });
    },
  },
  "an Open above the limit": {
    finds: "1",
    plant: ({ history }) => void history.bursts.push({ account: "any", limit: 3, opened: 4, asked: 6 }),
  },
  "a dropped decrement": {
    finds: "2",
    plant: sql(`update account_load set open = open + 1 where account_id = ${ONE_ACCOUNT}`),
  },
  "a double commit": {
    finds: "2",
    plant: sql(`update daily_usage set units = units + 1 where account_id = ${ONE_ACCOUNT}`),
  },
  // The ledger's triggers reject deletions.
  "a minute that is missing from the ledger": {
    finds: "2",
    plant: sql(`set local session_replication_role = replica; delete from ledger where browser_id = ${ONE}`),
  },
  "a charge after the end": {
    finds: "3",
    plant: sql(`update ended_browsers set units = units + 1 where id = ${ONE}`),
  },
  "the same key twice": {
    finds: "4",
    plant: sql(`update ended_browsers set key_hash = (select key_hash from ended_browsers where id = ${ONE})
      where id = (select id from ended_browsers where id <> ${ONE} limit 1)`),
  },
  "the same address twice": {
    finds: "4",
    plant: ({ history }) => {
      const { received } = findUsed(history);
      received.push({ id: "another", address: received[0]?.address ?? "" });
    },
  },
  "a browser that answers after Close": {
    finds: "4",
    plant: ({ history }) => void (findUsed(history).isReachableAfterClose = true),
  },
  "a row that remains": {
    finds: "5",
    plant: sql(`with counted as (update account_load set opening = opening + 1 where account_id = ${ONE_ACCOUNT})
      insert into browsers (id, account_id, kind, headless, state, worker, instance, requested_at, charged)
      values ('left', ${ONE_ACCOUNT}, 'chromium', 1, 'opening', 'worker', 'instance', '2026-01-01T00:00:00.000Z', 0)`),
  },
  "a browser that stays": { finds: "5", plant: ({ left }) => void left.push({ id: "left" }) },
  "a socket that remains open": {
    finds: "5",
    plant: ({ held }) => void held.push({ server: "worker 1", processes: [], folders: [], sockets: ["1 → 2"] }),
  },
  "a browser that no client received": {
    finds: "5",
    plant: sql(`update ended_browsers set id = 'unknown', opened_at = closed_at - interval '1 hour' where id = ${ONE}`),
  },
  "a browser that ends on its own": {
    finds: "6",
    plant: sql(`update ended_browsers set reason = 'crashed' where id = ${ONE}`),
  },
  "a client that is notified that its browser crashed": {
    finds: "6",
    plant: ({ history }) => {
      const session = findUsed(history);
      session.end = { atMs: (session.answeredMs ?? 0) + 1, reason: "crashed" };
    },
  },
  "rows that remain after their worker is killed": {
    finds: "6",
    plant: ({ history }) =>
      void history.faults.push({
        name: "any",
        target: "any",
        fromMs: 0,
        toMs: 1,
        killed: [],
        cuts: [],
        freedMs: [6000],
      }),
  },
  "a disabled account that opens a browser": {
    finds: "7",
    plant: ({ history }) => {
      const { account, requestedMs } = findUsed(history);
      history.acts.push({ account, is: "disabled", requestedMs: requestedMs - 2, committedMs: requestedMs - 1 });
    },
  },
  "a disabled account's browser that stays open": {
    finds: "7",
    plant: async ({ history, query }) => {
      await query(`update ended_browsers set opened_at = opened_at - interval '2 hours' where id = ${ONE}`);
      const [row] = await query<{ account_id: string }>(`select account_id from ended_browsers where id = ${ONE}`);
      const atMs = Date.now() - 3_600_000;
      history.acts.push({ account: row?.account_id ?? "", is: "disabled", requestedMs: atMs, committedMs: atMs });
    },
  },
  "a revoked token that is accepted": {
    finds: "7",
    plant: ({ history }) => void history.revoked.push({ front: "front 1", status: 200 }),
  },
  "a connection that is cut": {
    finds: "8",
    plant: ({ history }) => void (findUsed(history).losses = [{ atMs: 1, front: "front 1", code: 1006 }]),
  },
  "two browsers for an Idempotency-Key": {
    finds: "10",
    plant: ({ history }) => void findUsed(history).received.push({ id: "another", address: "another" }),
  },
  "a second browser for an Idempotency-Key": {
    finds: "10",
    plant: ({ history, query }) => {
      const { label } = history.sessions.find(({ isKeyed, connectedMs }) => isKeyed && connectedMs !== undefined) ?? {};
      return change(
        query,
        `update ended_browsers set label = '${label}'
        where id in (select id from ended_browsers where label is distinct from '${label}' limit 1)`,
      );
    },
  },
  "browsers without a row": {
    finds: "11",
    plant: ({ history }) => {
      for (let times = 0; times < 10; times += 1) history.counts.push({ server: "worker 1", browsers: 2, rows: 1 });
    },
  },
} satisfies Record<string, Plant>;

export type PlantName = keyof typeof PLANTS;

/** Returns a session whose account has a limit and whose browser was used and closed. */
function findUsed(history: History): Session {
  const session = history.sessions.find(
    (one) =>
      history.limits.get(one.account) !== undefined &&
      one.connectedMs !== undefined &&
      one.closeRequestedMs !== undefined,
  );
  if (session === undefined) throw new Error("The run is too short: no session was used and closed.");
  return session;
}

function sql(text: string): Plant["plant"] {
  return ({ query }) => change(query, text);
}

async function change(query: Query, text: string): Promise<void> {
  await query(text);
}
