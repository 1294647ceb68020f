import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { mistakesIn } from '../support/type-check.js';

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT_DOCUMENTS = resolve(ROOT, 'src/client/documents');

/* What a program would write with the generated types; a line that must not compile says so. */
const AGENT_CLIENT = `
import type { paths } from './api.js';

type Body<T extends { content: { 'application/json': unknown } }> = T['content']['application/json'];
type Verify = paths['/api/v1/verify']['post'];

export const asked: NonNullable<Verify['requestBody']>['content']['application/json'] = { email: 'a@example.com' };
export const isGood = ({ data }: Body<Verify['responses'][200]>): boolean => data.result === 'valid' && data.score > 80;
export const reasonOf = ({ data }: Body<Verify['responses'][200]>): string | null => data.reason;
export const codeOf = (error: Body<Verify['responses'][402]>): 'credits_insufficient' | 'ceiling_reached' | 'key_ceiling_reached' => error.code;
export const idOf = ({ data }: Body<paths['/api/v1/verify/batch']['post']['responses'][201]>): number => data.id;
export const keyOf = (reply: Body<paths['/agent-gateway/register']['post']['responses'][201]>): string => reply.api_key;
export const progressOf = ({ data }: Body<paths['/api/v1/verify/batch/{id}']['get']['responses'][200]>): number => data.progress;
// @ts-expect-error flat replies are for full accounts
export const flat = (reply: Body<Verify['responses'][200]>): string => reply.verdict;
`;

const FULL_CLIENT = `
import type { operations } from './api.js';

type Body<T extends { content: { 'application/json': unknown } }> = T['content']['application/json'];

export const verdictOf = (reply: Body<operations['verifyEmail']['responses'][200]>): string => reply.verdict;
export const smtpOf = ({ checks }: Body<operations['verifyEmail']['responses'][200]>): 'pass' | 'fail' | 'unknown' | 'skipped' => checks.smtp;
export const waitOf = (reply: Body<operations['verifyEmail']['responses'][200]>): number | null => reply.retry_after;
export const namesOf = ({ lists }: Body<operations['listLists']['responses'][200]>): string[] => lists.map(({ name }) => name);
export const rowsOf = ({ results }: Body<operations['getBatchResults']['responses'][200]>): string[] => results.map(({ email }) => email);
// @ts-expect-error an envelope is for agents
export const inside = (reply: Body<operations['verifyEmail']['responses'][200]>): unknown => reply.data;
`;

it('clients generated from both documents compile', () => {
  makeTypes();
  const files = {
    '/client/agent/api.ts': readFileSync(typesFor('agent'), 'utf8'),
    '/client/agent/main.ts': AGENT_CLIENT,
    '/client/full/api.ts': readFileSync(typesFor('account'), 'utf8'),
    '/client/full/main.ts': FULL_CLIENT,
  };
  // The types need nothing of browsers.
  expect(mistakesIn(files, { lib: ['lib.es2022.d.ts'] })).toEqual([]);
});

it('types of documents that have not changed are left as they are', () => {
  makeTypes();
  const madeAt = () => ['account', 'admin', 'agent'].map((kind) => statSync(typesFor(kind)).mtimeMs);
  const before = madeAt();
  expect(makeTypes()).toBe('');
  expect(madeAt()).toEqual(before);
});

/** What `npm ci` and the commands that check types do first; gives back what it says. */
function makeTypes(): string {
  return execFileSync(process.execPath, ['config/client-types.mjs'], { cwd: ROOT, encoding: 'utf8' });
}

function typesFor(kind: string): string {
  return resolve(CLIENT_DOCUMENTS, `${kind}.ts`);
}
