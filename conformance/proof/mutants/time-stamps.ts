import type { Fault, Mutant } from "../mutant.ts";
import { onSession } from "./lists.ts";

function onStartedOn(alter: (startedOn: Date) => unknown): Fault {
  return onSession((session) => ({ ...session, startedOn: alter(new Date(String(session.startedOn))) }));
}

/** startedOn in the list. */
export const TIME_MUTANTS: readonly Mutant[] = [
  {
    id: "time-seconds",
    title: "startedOn has no milliseconds",
    killedBy: ["RBS-LIST-02"],
    fault: () => onStartedOn((at) => at.toISOString().replace(/\.\d+/, "")),
  },
  {
    id: "time-micro",
    title: "startedOn has microseconds",
    killedBy: ["RBS-LIST-02"],
    fault: () => onStartedOn((at) => at.toISOString().replace("Z", "000Z")),
  },
  {
    id: "time-offset",
    title: "startedOn has a time zone other than UTC",
    killedBy: ["RBS-LIST-02"],
    fault: () => onStartedOn((at) => new Date(at.getTime() + 3_600_000).toISOString().replace("Z", "+01:00")),
  },
  {
    id: "time-local",
    title: "startedOn is in local time, without a time zone",
    killedBy: ["RBS-LIST-02"],
    fault: () => onStartedOn((at) => at.toISOString().replace("Z", "")),
  },
  {
    id: "time-local-as-utc",
    title: "startedOn is in local time, but claims to be UTC",
    killedBy: ["RBS-LIST-02"],
    fault: () => onStartedOn((at) => new Date(at.getTime() + 2 * 3_600_000).toISOString()),
  },
  {
    id: "time-epoch",
    title: "startedOn is in milliseconds since 1970",
    killedBy: ["RBS-LIST-02", "RBS-ANSWER-02"],
    fault: () => onStartedOn((at) => at.getTime()),
  },
  {
    id: "time-now",
    title: "startedOn is the time of Get",
    killedBy: ["RBS-LIST-05"],
    fault: () => onStartedOn(() => new Date().toISOString()),
  },
];
