import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../../../test/support/manual-clock.js';
import type { MailHost } from '../../../mail-dns/mx-set.js';
import { ControlProbes } from './control-probes.js';
import type { MxRoute } from './mx-route.js';
import type { MailboxAnswer, RecipientProbe } from './recipient-probe.js';

const DENIED = { kind: 'replied', classification: { class: 'relay_denied' } } as MailboxAnswer;

describe('whether a domain is served', () => {
  it('whether a domain is served is asked of five hosts at most for the account that wants to know, with a route to each that is made when it is its turn', async () => {
    const events: string[] = [];
    const routeTo = ({ name }: MailHost): MxRoute => {
      events.push(`route ${name}`);
      const enqueue = ({ asker, answer }: RecipientProbe) => {
        events.push(`asked ${name} for ${asker.account}`);
        answer(DENIED);
      };
      return { key: name, enqueue } as MxRoute;
    };
    const hosts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, preference) => ({ name, preference }));
    const at = { domain: 'example.com', route: { key: 'all' } as MxRoute, turn: null, account: 'one', source: null };
    const controlProbes = new ControlProbes(new ManualClock(), { fraction: () => 0.5 });
    expect(await controlProbes.learnIsServed(at, hosts, routeTo)).toBe(false);
    expect(events).toEqual(['a', 'b', 'c', 'd', 'e'].flatMap((name) => [`route ${name}`, `asked ${name} for one`]));
    expect(controlProbes.learnIsServed(at, hosts, routeTo)).toBe(false);
    expect(events).toHaveLength(10);
  });
});
