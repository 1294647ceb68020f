import { expect, it } from 'vitest';
import { PROCESS_METRICS } from '../../platform/metrics/metrics.js';
import { OperatorLabels, SmtpMetrics } from './smtp-metrics.js';

const REPLY = { code: 450, enhanced: null, text: '' };

const samples = async (name: string) =>
  (await PROCESS_METRICS.metrics()).split('\n').filter((line) => line.startsWith(`${name}{`));

it('hosts without a row share one label, however many there are', async () => {
  const metrics = new SmtpMetrics(new OperatorLabels());
  for (const operator of ['google', 'default', 'mx.one.example', 'mx.two.example']) metrics.opened(operator, 'spec');
  const sessions = (await samples('mailsonde_smtp_sessions_total')).filter((line) => line.includes('source="spec"'));
  expect(sessions).toEqual([
    'mailsonde_smtp_sessions_total{operator="google",source="spec"} 1',
    'mailsonde_smtp_sessions_total{operator="other",source="spec"} 3',
  ]);
});

it('only replies about us or for patience are refusals: what is said of a mailbox is an answer', async () => {
  const metrics = new SmtpMetrics(new OperatorLabels());
  for (const about of ['not_found', 'full', 'ptr_required', 'ip_blocked', 'greylisted'] as const)
    metrics.refused({ operator: 'google', source: 'spec', about, reply: REPLY, recipient: null });
  const refusals = (await samples('mailsonde_smtp_refusals_total')).filter((line) => line.includes('source="spec"'));
  expect(refusals).toEqual([
    'mailsonde_smtp_refusals_total{operator="google",source="spec",kind="ip_blocked"} 2',
    'mailsonde_smtp_refusals_total{operator="google",source="spec",kind="greylisted"} 1',
  ]);
});
