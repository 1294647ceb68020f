import { count } from '../../parts/figures.js';

const PERIODS = { credits_per_day: 'today', credits_per_month: 'this month', credits_total: 'in all' } as const;

type Ceilings = Readonly<
  Partial<Record<keyof typeof PERIODS, { readonly credits: number; readonly used: number } | null>>
>;

/** What a key has spent of what it may. */
export function CeilingsUsed({ of: ceilings }: { readonly of: Ceilings | null | undefined }) {
  if (ceilings === null || ceilings === undefined) return <>no ceiling</>;
  return (
    <>
      {(['credits_per_day', 'credits_per_month', 'credits_total'] as const).map((name) => {
        const ceiling = ceilings[name];
        if (ceiling === null || ceiling === undefined) return null;
        return (
          <div key={name}>
            {count(ceiling.used)} of {count(ceiling.credits)} {PERIODS[name]}
          </div>
        );
      })}
    </>
  );
}
