/** Takes one measurement. @returns A duration, a rate or a size. */
export type Side = () => Promise<number>;

export type Rounds = { readonly rounds: number; readonly warmUps: number };

/** With fewer rounds, the median varies too much. Warm-ups fill caches and compile code. */
export const ROUNDS: Rounds = { rounds: 11, warmUps: 1 };

/**
 * Measures all sides of the comparison in each round, so that other work on the machine affects all of them. Each round
 * starts with a different side, so that the order doesn't favor a side.
 * @param report Called after every round, including warm-ups.
 * @returns For each side, one value per round, excluding warm-ups.
 */
export async function interleave<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  { rounds, warmUps }: Rounds,
  report: (done: number, all: number) => void,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const value = await sides[name]();
      if (round >= warmUps) measured[name].push(value);
    }
    report(round + 1, warmUps + rounds);
  }
  return measured;
}
