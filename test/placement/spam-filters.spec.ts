import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { askRspamd, askSpamd } from '../../src/deliverability/placement/report/spam-filters.js';

const RAW = Buffer.from('Subject: x\r\n\r\nx\r\n');
const ENVELOPE = {
  clientAddress: '192.0.2.25',
  clientName: 'mail.example.com',
  mailFrom: 'news@example.com\r\nX-Evil: 1',
  tls: null,
};
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function rspamdThatSays(text: string, status = 200) {
  const asked: { headers: IncomingHttpHeaders; body: string; path: string | undefined }[] = [];
  const server = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      asked.push({ headers: request.headers, body, path: request.url });
      response.writeHead(status).end(text);
    });
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}

async function spamdThatSays(text: string) {
  const asked: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let said = '';
    socket.on('error', () => undefined);
    socket.on('data', (piece) => (said += String(piece)));
    socket.on('end', () => {
      asked.push(said);
      socket.end(text);
    });
  });
  return { server: `127.0.0.1:${await listen(server)}`, asked };
}

describe('rspamd', () => {
  it('rspamd is shown the message with its envelope, and nothing that would end a header', async () => {
    const symbols = { LOW: { score: 0.1 }, GTUBE: { score: 9, description: 'A test' } };
    const { url, asked } = await rspamdThatSays(JSON.stringify({ score: 9.1, required_score: 15, symbols }));
    expect(await askRspamd({ url, password: 'secret' }, RAW, ENVELOPE)).toEqual({
      engine: 'rspamd',
      score: 9.1,
      required: 15,
      symbols: [
        { name: 'GTUBE', score: 9, description: 'A test' },
        { name: 'LOW', score: 0.1, description: null },
      ],
    });
    expect(asked).toMatchObject([
      { path: '/checkv2', body: RAW.toString(), headers: { ip: '192.0.2.25', password: 'secret' } },
    ]);
    expect(asked[0]!.headers).not.toHaveProperty('x-evil');
    expect(asked[0]!.headers).not.toHaveProperty('from');
  });

  it.each([
    ['a refusal', '{"error":"Unauthorized"}', 401],
    ['no JSON', '<html>', 200],
    ['JSON of something else', '{"score":"high"}', 200],
    ['more than anybody reads', `{"score":1,"required_score":2,"x":"${'x'.repeat(2_000_000)}"}`, 200],
  ])('rspamd has no verdict when it answers %s', async (_what, text, status) => {
    const { url } = await rspamdThatSays(text, status);
    const verdict = await askRspamd({ url, password: null }, RAW, ENVELOPE);
    expect(verdict).toEqual({ engine: 'rspamd', score: null, required: null, symbols: [] });
  });

  it('rspamd has no verdict when it is away', async () => {
    expect((await askRspamd({ url: 'http://127.0.0.1:9', password: null }, RAW, ENVELOPE)).score).toBeNull();
  });
});

const REPORT = `SPAMD/1.1 0 EX_OK\r\nContent-length: 300\r\nSpam: True ; 7.5 / 5.0\r\n\r\nSpam detection software\n\nContent analysis details:   (7.5 points, 5.0 required)\n\n pts rule name              description\n---- ---------------------- --------------------------------------------------\n 0.5 HTML_MESSAGE           BODY: HTML included in message\n 7.0 GTUBE_LIKE             BODY: A test\n                            that goes on\n`;

describe('spamd', () => {
  it('spamd is shown the message, and its report is read', async () => {
    const { server, asked } = await spamdThatSays(REPORT);
    expect(await askSpamd(server, RAW)).toEqual({
      engine: 'spamassassin',
      score: 7.5,
      required: 5,
      symbols: [
        { name: 'GTUBE_LIKE', score: 7, description: 'BODY: A test' },
        { name: 'HTML_MESSAGE', score: 0.5, description: 'BODY: HTML included in message' },
      ],
    });
    expect(asked).toEqual([`REPORT SPAMC/1.5\r\nContent-length: ${RAW.length}\r\n\r\n${RAW.toString()}`]);
  });

  it.each(['', 'SPAMD/1.1 76 Bad header line\r\n\r\n', 'HTTP/1.1 400 Bad Request\r\n\r\nSpam: True ; 9 / 5\r\n'])(
    'spamd has no verdict when it answers %j',
    async (text) => {
      const { server } = await spamdThatSays(text);
      expect((await askSpamd(server, RAW)).score).toBeNull();
    },
  );

  it('spamd has no verdict when it is away', async () => {
    expect((await askSpamd('127.0.0.1:9', RAW)).score).toBeNull();
  });
});
