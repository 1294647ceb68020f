/** Choices from one source of chance, so that a seed tells a whole run. */
export class Pick {
  constructor(readonly random: () => number) {}

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  one<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }
}
