import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { packMessage, PlacementTestHistoryService } from './placement-test-history.service.js';
import { placementOf, type PlacementTest, type SeedStatus, TEST_PREFIX } from './placement-test.js';
import { type MessageToJudge, ReportMakerService } from './report/report-maker.service.js';
import { TestSettlementService } from './test-settlement.service.js';
import type { Envelope } from '../inbound/inbound-recipients.js';
import type { DemoScenario } from './demo-scenarios.js';
import type { DnsAnswer } from '../../mail-dns/domain-dns.js';
import type { FactDns } from '../../engine/domain/facts.js';

/** Between a mail that comes and the end of its test. */
const STEP_MS = 1_000;

/** Plays the tests of test mode whose names are those of worlds: the same states, report and events, in seconds and with nobody outside. */
@Injectable()
export class DemoScenariosService {
  constructor(
    private readonly tests: PlacementTestHistoryService,
    private readonly reports: ReportMakerService,
    private readonly settlement: TestSettlementService,
  ) {}

  /** @param world null: there is none of this name any more. @returns whether endpoints are to be told */
  async look(seen: PlacementTest, world: DemoScenario | null, at: Date): Promise<boolean> {
    if (seen.state === 'receiving')
      return this.locked(seen, (tx, test) =>
        this.settlement.end(tx, test, 'completed', { placement: this.placementIn(test, world), at }),
      );
    if (world === null || !world.arrives)
      return this.locked(seen, (tx, test) => this.settlement.end(tx, test, 'expired', { placement: null, at }));
    const mail = await mailOfScenario(world, seen, at);
    const report = await this.reports.make({ ...mail, accountId: seen.accountId });
    const raw = await packMessage(mail.raw);
    return this.locked(seen, async (tx, test) => {
      const received = { ...mail.envelope, recipient: `${TEST_PREFIX}-${test.token}`, raw: mail.raw, receivedAt: at };
      await this.tests.insertMessage(tx, test.id, received, raw);
      await this.tests.arrived(tx, test.id, at);
      await this.tests.keepReport(tx, test.id, report);
      await this.tests.putOff(tx, test.id, new Date(at.getTime() + STEP_MS));
      return false;
    });
  }

  private placementIn({ seeds }: PlacementTest, world: DemoScenario | null) {
    if (seeds === 'none' || world === null) return null;
    const wanted = world.seeds.filter(({ provider }) => seeds === 'all' || seeds.includes(provider));
    return placementOf(
      wanted.map(({ provider, placement, tab, arrivedAfterS, matchedBy, authentication }): SeedStatus => {
        return { provider, placement, tab, arrivedAfterS, matchedBy, authentication };
      }),
    );
  }

  private locked(
    { id, state }: PlacementTest,
    work: (tx: EntityManager, test: PlacementTest) => Promise<boolean>,
  ): Promise<boolean> {
    return this.tests.locked('id', id, async (tx, test) => test?.state === state && work(tx, test));
  }
}

const DOMAIN = 'sender.example';
const SELECTOR = 's1';
const SENDER = { address: '8.8.4.25', name: `mail.${DOMAIN}` };
/** Nobody's record names it. */
const STRANGER = '8.8.8.25';
const TTL_SECONDS = 300;

let keys: Promise<{ privateKey: string; record: string }> | null = null;

/** A key of this process, made with its first mail: what signs is judged by the same process. */
function keysOfScenarios(): NonNullable<typeof keys> {
  keys ??= promisify(generateKeyPair)('rsa', { modulusLength: 2048 }).then(({ privateKey, publicKey }) => ({
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    record: `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  }));
  return keys;
}

/** The mail that comes in a world, signed for real, with the DNS by which it is judged: nobody outside is asked. */
async function mailOfScenario(
  { isAuthentic }: DemoScenario,
  { token }: Pick<PlacementTest, 'token'>,
  at: Date,
): Promise<Omit<MessageToJudge, 'accountId'> & { readonly envelope: Omit<Envelope, 'recipient'> }> {
  const { privateKey, record } = await keysOfScenarios();
  const plain = Buffer.from(messageText(token, at));
  const raw = isAuthentic ? await signed(plain, privateKey) : plain;
  const envelope = {
    clientAddress: isAuthentic ? SENDER.address : STRANGER,
    clientName: SENDER.name,
    mailFrom: `news@${DOMAIN}`,
    tls: 'TLSv1.3',
  };
  return { raw, envelope, receivedAt: at, world: scenarioDns(record) };
}

async function signed(plain: Buffer, privateKey: string): Promise<Buffer> {
  const { dkimSign } = await import('mailauth/lib/dkim/sign.js');
  // Its types want the members of `signatureData` beside it, which it does not read.
  const key = { signingDomain: DOMAIN, selector: SELECTOR, privateKey };
  const { signatures } = await dkimSign(plain, {
    ...key,
    signatureData: [key],
    headerList: ['From', 'To', 'Subject', 'Date', 'Message-ID', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
  });
  return Buffer.concat([Buffer.from(signatures), plain]);
}

function messageText(token: string, at: Date): string {
  return [
    `From: News <news@${DOMAIN}>`,
    'To: Reader <reader@example.net>',
    'Subject: The news of March',
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${token}@${DOMAIN}>`,
    `X-Mailsonde-Test: ${token}`,
    `List-Unsubscribe: <https://www.${DOMAIN}/leave>`,
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=parts',
    '',
    '--parts',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Dear reader, this is all that happened in March.',
    '--parts',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>Dear reader, this is all that <a href="https://www.${DOMAIN}/march">happened in March</a>.</p>`,
    '--parts--',
    '',
  ].join('\r\n');
}

function scenarioDns(dkimRecord: string): FactDns {
  const zone: Readonly<Record<string, readonly string[]>> = {
    [`TXT ${DOMAIN}`]: [`v=spf1 ip4:${SENDER.address} -all`],
    [`TXT ${SELECTOR}._domainkey.${DOMAIN}`]: [dkimRecord],
    [`TXT _dmarc.${DOMAIN}`]: [`v=DMARC1; p=reject; rua=mailto:reports@${DOMAIN}`],
    [`A ${DOMAIN}`]: [SENDER.address],
    [`A ${SENDER.name}`]: [SENDER.address],
    'PTR 25.4.8.8.in-addr.arpa': [SENDER.name],
  };
  const look = (key: string): Promise<DnsAnswer<string>> => {
    const records = zone[key];
    const answer = records ? { outcome: 'found', records, ttlSeconds: TTL_SECONDS } : { outcome: 'nodata' };
    return Promise.resolve(answer as DnsAnswer<string>);
  };
  return {
    txt: (name) => look(`TXT ${name}`),
    a: (name) => look(`A ${name}`),
    aaaa: (name) => look(`AAAA ${name}`),
    ptr: (name) => look(`PTR ${name}`),
    ns: () => Promise.resolve({ outcome: 'nodata' }),
    cname: (name) => look(`CNAME ${name}`),
    mx: () => Promise.resolve({ outcome: 'nodata' }),
    tlsa: () => Promise.resolve({ records: [], isAuthentic: false }),
    dnssec: () => Promise.resolve('secure'),
  };
}
