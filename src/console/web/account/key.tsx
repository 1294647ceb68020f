import type { Account } from '../session/api.js';
import { count } from '../parts/values.js';

export type Key = Account['schemas']['KeyReply'];

/** What may be asked about: a key that was replaced or revoked only runs out. */
export const isWorking = ({ status }: Key): boolean => status === 'active';

/** What a person calls it. */
export const nameOf = ({ name, last_four: lastFour }: Key): string => name ?? `…${lastFour}`;

/** Who made a key, as a person calls it. @param names of keys by their ids */
export function makerOf({ created_by: maker }: Key, names: ReadonlyMap<string, string>): string {
  if (maker === null) return '';
  if (maker.type === 'administrator') return 'an administrator';
  return names.get(maker.id ?? '') ?? 'another key';
}

export type Permission = NonNullable<Account['schemas']['CreateKeyRequest']['permissions']>[number];

/** In the order of the documentation, with what each is for. The compiler asks for every one that the documents name. */
const USES: Readonly<Record<Permission, string>> = {
  verify: 'check single addresses',
  batches: 'send lists and watch them',
  results: 'read results',
  lists: 'manage lists',
  finder: 'find addresses of people',
  webhooks: 'manage webhooks',
  keys: 'manage keys',
  credits: 'see balance and usage',
  suppressions: 'manage suppressions',
  deliverability: 'check domains, block lists and placement, manage monitors',
  audit: 'read the audit log',
  settings: 'change settings of the account',
};
export const PERMISSIONS = Object.entries(USES) as readonly (readonly [Permission, string])[];

/** Networks as they are typed: one a line, or with commas; null: everywhere. */
export function networksIn(text: string): string[] | null {
  const networks = text.split(/[\s,]+/).filter(Boolean);
  return networks.length === 0 ? null : networks;
}

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
