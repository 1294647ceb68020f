import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { DnsAnswer } from '../../mail-dns/domain-dns.js';
import type { FactDns } from '../../engine/domain/facts.js';
import type { PlacementTest } from '../placement-test.js';
import type { MessageToJudge } from '../report/report-maker.service.js';
import type { PlacementWorld } from './placement-worlds.js';

const DOMAIN = 'sender.example';
const SELECTOR = 's1';
const SENDER = { address: '8.8.4.25', name: `mail.${DOMAIN}` };
/** Nobody's record names it. */
const STRANGER = '8.8.8.25';
const TTL_SECONDS = 300;

let keys: Promise<{ privateKey: string; record: string }> | null = null;

/** A key of this process, made with its first mail: what signs is judged by the same process. */
function keysOfWorlds(): NonNullable<typeof keys> {
  keys ??= promisify(generateKeyPair)('rsa', { modulusLength: 2048 }).then(({ privateKey, publicKey }) => ({
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    record: `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  }));
  return keys;
}

/** The mail that comes in a world, signed for real, with the DNS by which it is judged: nobody outside is asked. */
export async function mailOfWorld(
  { isAuthentic }: PlacementWorld,
  { token }: Pick<PlacementTest, 'token'>,
  at: Date,
): Promise<Omit<MessageToJudge, 'accountId'>> {
  const { privateKey, record } = await keysOfWorlds();
  const plain = Buffer.from(messageText(token, at));
  const raw = isAuthentic ? await signed(plain, privateKey) : plain;
  const envelope = {
    clientAddress: isAuthentic ? SENDER.address : STRANGER,
    clientName: SENDER.name,
    mailFrom: `news@${DOMAIN}`,
    tls: 'TLSv1.3',
  };
  return { raw, envelope, receivedAt: at, world: worldDns(record) };
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

function worldDns(dkimRecord: string): FactDns {
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
