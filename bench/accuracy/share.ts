/** So many of so many. */
export interface Share {
  readonly hits: number;
  readonly of: number;
}

/** The normal distribution's 97.5% quantile, for an interval that holds the truth 95 times in 100. */
const Z = 1.959_964;

export function shareOf<T>(all: readonly T[], isHit: (one: T) => boolean): Share {
  return { hits: all.filter(isHit).length, of: all.length };
}

/**
 * Where the true share lies with 95% confidence, by Wilson's score interval (Journal of the American Statistical Association 22, 1927):
 * unlike the usual one it is right for few samples and for shares near 0 and 1.
 */
export function wilsonInterval({ hits, of }: Share): readonly [low: number, high: number] {
  if (of === 0) return [0, 1];
  const share = hits / of;
  const middle = share + Z ** 2 / (2 * of);
  const reach = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const within = (bound: number) => Math.min(1, Math.max(0, bound / (1 + Z ** 2 / of)));
  return [within(middle - reach), within(middle + reach)];
}
