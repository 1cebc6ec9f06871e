import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onSession } from "../../faults/shown.ts";

function onStartedOn(alter: (startedOn: Date) => unknown): Fault {
  return onSession((session) => ({ ...session, startedOn: alter(new Date(String(session.startedOn))) }));
}

/** Faults in the startedOn member of the list. */
export const TIME_MUTANTS: readonly Mutant[] = [
  mutant("time-seconds", ["RBS-LIST-02"], "startedOn has no milliseconds", () =>
    onStartedOn((at) => at.toISOString().replace(/\.\d+/, "")),
  ),
  mutant("time-micro", ["RBS-LIST-02"], "startedOn has microseconds", () =>
    onStartedOn((at) => at.toISOString().replace("Z", "000Z")),
  ),
  mutant("time-offset", ["RBS-LIST-02"], "startedOn has a time zone other than UTC", () =>
    onStartedOn((at) => new Date(at.getTime() + 3_600_000).toISOString().replace("Z", "+01:00")),
  ),
  mutant("time-local", ["RBS-LIST-02"], "startedOn is in local time, without a time zone", () =>
    onStartedOn((at) => at.toISOString().replace("Z", "")),
  ),
  mutant("time-local-as-utc", ["RBS-LIST-02"], "startedOn is in local time, but is marked as UTC", () =>
    onStartedOn((at) => new Date(at.getTime() + 2 * 3_600_000).toISOString()),
  ),
  mutant("time-epoch", ["RBS-LIST-02", "RBS-ANSWER-02"], "startedOn is in milliseconds since 1970", () =>
    onStartedOn((at) => at.getTime()),
  ),
  mutant("time-now", ["RBS-LIST-05"], "startedOn is the time of the Get request", () =>
    onStartedOn(() => new Date().toISOString()),
  ),
];
