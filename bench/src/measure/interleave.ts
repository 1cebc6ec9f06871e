/** Measures once. @returns A time, a rate or a size. */
export type Side = () => Promise<number>;

export type Rounds = { readonly rounds: number; readonly warmUps: number };

/**
 * Runs all sides in turn, round after round. Other work on the machine then affects all of them. Each round starts with
 * a different side: otherwise, a side would always follow the same one.
 * @param report Called after every round, warm-ups included.
 * @returns For each side, one value per round, without the warm-ups.
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
