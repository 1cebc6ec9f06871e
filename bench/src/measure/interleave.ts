/** Measures once, and says what it found: a time, a rate, a size. */
export type Side = () => Promise<number>;

export type Rounds = { readonly rounds: number; readonly warmUps: number };

/**
 * Runs all sides in turn, round after round, so that whatever else the machine does meets all of them. Each round begins
 * with another side, so that none always comes after the same one.
 * @param tell Called after every round, warm-ups included, with the rounds done and all there are.
 * @returns For each side its measurements, a value a round, without the warm-ups.
 */
export async function interleave<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  { rounds, warmUps }: Rounds,
  tell: (done: number, all: number) => void,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const value = await sides[name]();
      if (round >= warmUps) measured[name].push(value);
    }
    tell(round + 1, warmUps + rounds);
  }
  return measured;
}
