import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BimiFetcher, svgProblems } from '../../src/deliverability/domains/bimi-fetcher.js';
import { selfSigned } from '../support/certificate.js';
import { startWebHosts, type WebHosts } from '../support/web-hosts.js';

const svg = (inner: string, head = 'version="1.2" baseProfile="tiny-ps"') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${head} viewBox="0 0 100 100">${inner}</svg>`;
const GOOD = svg('<title>Some Brand</title><g fill="url(#a)"><use xlink:href="#b"/><path d="M0 0h9v9z"/></g>');

/** A certificate in PEM for these names. @param usage its extended key usage */
const certificate = (names: readonly string[], usage: string) =>
  selfSigned({ organization: 'Mark', commonName: 'mark', names, days: 90, extendedKeyUsage: usage }).cert;

describe('a logo', () => {
  it.each<[string, string, readonly string[]]>([
    ['that keeps to the profile', GOOD, []],
    ['without its profile', svg('<title>a</title>', 'version="1.1"'), ['baseProfile', 'version']],
    ['without a title', svg('<path d="M0 0"/>'), ['no title']],
    ['with an empty title', svg('<title/>'), ['no title']],
    ['with a script', svg('<title>a</title><g><script>1</script></g>'), ['the element script']],
    ['with a handler', svg('<title>a</title><path onclick="1" d=""/>'), ['scripts']],
    ['with a picture', svg('<title>a</title><image xlink:href="data:image/png;base64,AA"/>'), ['elsewhere', 'image']],
    ['that moves', svg('<title>a</title><animateTransform/>'), ['animateTransform']],
    ['that loads', svg('<title>a</title><path fill="url(https://a.example/b)"/>'), ['elsewhere']],
    ['that is placed', svg('<title>a</title>', 'version="1.2" baseProfile="tiny-ps" x="0"'), ['x or y']],
    ['with entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${GOOD}`, ['entities']],
    ['that is broken', '<svg><title>', ['well-formed']],
    ['that is a page', '<html><title>a</title></html>', ['no SVG']],
    ['that is empty', '', ['well-formed']],
    ['that is too large', svg(`<title>a</title><path d="${'M0 0'.repeat(9_000)}"/>`), ['more than 32768']],
    ['that is nested without end', svg(`<title>a</title>${'<g>'.repeat(80)}${'</g>'.repeat(80)}`), ['too deep']],
  ])('%s is told so', (_, text, problems) => {
    const found = svgProblems(text);
    expect(found).toHaveLength(problems.length);
    problems.forEach((problem, index) => expect(found[index]).toContain(problem));
  });
});

describe('the files of BIMI', () => {
  let hosts: WebHosts;
  let fetcher: BimiFetcher;
  /** By path; made when somebody asks for them. */
  const made: Readonly<Record<string, () => string | Buffer>> = {
    '/logo.svg': () => GOOD,
    '/logo.svgz': () => gzipSync(GOOD),
    '/bomb.svgz': () => gzipSync(Buffer.alloc(50_000_000)),
    '/large.svg': () => 'x'.repeat(300_000),
    '/mark.pem': () => certificate(['Example.com', 'default._bimi.example.com'], '1.3.6.1.5.5.7.3.31'),
    '/server.pem': () => certificate(['example.com'], '1.3.6.1.5.5.7.3.1'),
    '/none.pem': () => 'no certificate',
  };
  const files: Readonly<Record<string, RequestListener>> = {
    'brand.example.com': ({ url }, response) => {
      const file = made[url ?? '']?.();
      response.writeHead(file === undefined ? 404 : 200).end(file);
    },
  };

  beforeAll(async () => {
    hosts = await startWebHosts(files);
    fetcher = new BimiFetcher(hosts.options);
  });

  afterAll(async () => {
    await fetcher.close();
    await hosts.close();
  });

  const at = (path: string) => `https://brand.example.com/${path}`;

  it('the files of BIMI are read, packed or not, and judged by their text', async () => {
    const content = { bytes: Buffer.byteLength(GOOD), problems: [] };
    expect(await fetcher.logo(at('logo.svg'))).toEqual({ outcome: 'found', content });
    expect(await fetcher.logo(at('logo.svgz'))).toEqual({ outcome: 'found', content });
  });

  it('the files of BIMI tell whose mark it is, until when, and whether the certificate is for marks', async () => {
    const mark = await fetcher.certificate(at('mark.pem'));
    expect(mark).toMatchObject({
      outcome: 'found',
      content: { names: ['example.com', 'default._bimi.example.com'], issuer: 'Mark', isForMarks: true },
    });
    const days = mark.outcome === 'found' ? (mark.content.validTo - Date.now()) / 86_400_000 : 0;
    expect(Math.round(days)).toBe(90);
    expect(await fetcher.certificate(at('server.pem'))).toMatchObject({ content: { isForMarks: false } });
  });

  it.each([
    ['gone.svg', 'answers 404'],
    ['large.svg', 'more than 262144 bytes'],
    ['bomb.svgz', 'cannot be read'],
  ])('the files of BIMI that are none say why: %s %s', async (path, why) => {
    expect(await fetcher.logo(at(path))).toEqual({ outcome: 'failed', why: expect.stringContaining(why) });
  });

  it('the files of BIMI are fetched over HTTPS and from public addresses alone', async () => {
    expect(await fetcher.certificate(at('none.pem'))).toMatchObject({ outcome: 'failed', why: 'it cannot be read' });
    expect(await fetcher.logo('http://brand.example.com/logo.svg')).toMatchObject({ outcome: 'failed' });
    const before = hosts.served.length;
    const guarded = new BimiFetcher({ ...hosts.options, mayConnect: () => false });
    expect(await guarded.logo(at('logo.svg'))).toMatchObject({ why: 'its host has no public address' });
    await guarded.close();
    expect(hosts.served).toHaveLength(before);
  });
});
