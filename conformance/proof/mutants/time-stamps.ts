import type { Fault, Mutant } from "../mutant.ts";
import { onSession } from "./lists.ts";

function onStartedOn(alter: (startedOn: Date) => unknown): Fault {
  return onSession((session) => ({ ...session, startedOn: alter(new Date(String(session.startedOn))) }));
}

/** When a browser was opened, as the list says it. */
export const TIME_MUTANTS: readonly Mutant[] = [
  {
    id: "time-seconds",
    title: "Times have no milliseconds",
    killedBy: ["RBS-LIST-02"],
    fault: () => onStartedOn((at) => at.toISOString().replace(/\.\d+/, "")),
  },
  {
    id: "time-micro",
    title: "Times have microseconds",
    killedBy: ["RBS-LIST-02"],
    fault: () => onStartedOn((at) => at.toISOString().replace("Z", "000Z")),
  },
  {
    id: "time-offset",
    title: "Times are told in a time zone",
    killedBy: ["RBS-LIST-02"],
    fault: () => onStartedOn((at) => new Date(at.getTime() + 3_600_000).toISOString().replace("Z", "+01:00")),
  },
  {
    id: "time-local",
    title: "Times are local, and do not say so",
    killedBy: ["RBS-LIST-02"],
    fault: () => onStartedOn((at) => at.toISOString().replace("Z", "")),
  },
  {
    id: "time-local-as-utc",
    title: "Times are local, and claim to be UTC",
    killedBy: ["RBS-LIST-02"],
    fault: () => onStartedOn((at) => new Date(at.getTime() + 2 * 3_600_000).toISOString()),
  },
  {
    id: "time-epoch",
    title: "Times are milliseconds since 1970",
    killedBy: ["RBS-LIST-02", "RBS-ANSWER-02"],
    fault: () => onStartedOn((at) => at.getTime()),
  },
  {
    id: "time-now",
    title: "Get tells its own time instead of the browsers'",
    killedBy: ["RBS-LIST-05"],
    fault: () => onStartedOn(() => new Date().toISOString()),
  },
];
