import { useLoad } from '../parts/listing.js';
import { api } from './api.js';
import { may, session } from './session.js';

const KEYS_SHOWN = 100;

/** Names of the account's keys by their ids; for a session that may not see them its own alone. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const { data } = useLoad(async (signal) => {
    if (!may('keys')) return [];
    const query = { limit: KEYS_SHOWN };
    return (await api.get('/api/v1/keys', { query, signal })).keys;
  });
  const own = session.value?.key;
  const keys = data.value ?? [];
  const known = own === undefined || keys.some(({ id }) => id === own.id) ? keys : [...keys, own];
  return new Map(known.map(({ id, name, last_four: end }) => [id, `${name ?? 'unnamed'} …${end}`]));
}
