import { X509Certificate } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { FetchedFile, LogoContent, MarkCertificate } from '../../engine/domain/bimi-record.js';
import { namesIn } from '../../lib/certificate-names.js';
import { AddressRefused } from '../../platform/outbound/guarded-connector.js';
import { GuardedFetch, isSilence, TooLarge } from './guarded-fetch.js';

/** Receivers take logos of 32 KB; more is read, so that its size can be told. */
const LIMITS = { withinMs: 10_000, maxBytes: 262_144 };
/** The key purpose of certificates for logos (id-kp-BrandIndicatorforMessageIdentification). */
const FOR_MARKS = '1.3.6.1.5.5.7.3.31';
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Fetches logos and mark certificates of BIMI, from public addresses alone: the domain's owner names the hosts. */
export class BimiFetcher extends GuardedFetch {
  /** Never rejects. */
  logo(url: string): Promise<FetchedFile<LogoContent>> {
    return this.#read(url, (body) => {
      const isPacked = body.subarray(0, GZIP.length).equals(GZIP);
      const text = (isPacked ? gunzipSync(body, { maxOutputLength: LIMITS.maxBytes }) : body).toString();
      return { bytes: Buffer.byteLength(text), problems: svgProblems(text) };
    });
  }

  /** Never rejects. */
  certificate(url: string): Promise<FetchedFile<MarkCertificate>> {
    return this.#read(url, (body) => {
      // The first one of the file is the mark's own.
      const certificate = new X509Certificate(body);
      return {
        names: namesIn(certificate.subjectAltName ?? ''),
        issuer: /^O=(.*)$/m.exec(certificate.issuer)?.[1]?.slice(0, 200) ?? '',
        validTo: Date.parse(certificate.validTo),
        isForMarks: (certificate.keyUsage ?? []).includes(FOR_MARKS),
      };
    });
  }

  async #read<T>(url: string, read: (body: Buffer) => T): Promise<FetchedFile<T>> {
    let body: Buffer;
    try {
      const answer = await this.get(new URL(url), LIMITS);
      if (answer.status !== 200) return { outcome: 'failed', why: `its host answers ${answer.status}` };
      ({ body } = answer);
    } catch (error) {
      if (isSilence(error)) return { outcome: 'unknown' };
      if (error instanceof AddressRefused) return { outcome: 'failed', why: 'its host has no public address' };
      if (error instanceof TooLarge) return { outcome: 'failed', why: error.message };
      const { code = 'the connection broke' } = error as { code?: string };
      return { outcome: 'failed', why: `its host cannot be reached (${code})` };
    }
    try {
      return { outcome: 'found', content: read(body) };
    } catch {
      return { outcome: 'failed', why: 'it cannot be read' };
    }
  }
}

/*
 * Whether a logo keeps to SVG Tiny PS (draft-svg-tiny-ps-abrotman), as far as that can be told from its text: its head, elements that the
 * profile leaves out, what it loads from elsewhere, and its size. Whether it looks like the mark nobody can tell here.
 */

/** What receivers take, uncompressed. */
const MAX_LOGO_BYTES = 32_768;
const MAX_DEPTH = 60;
/** Scripts, animations, pictures and media, in lower case. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'animate',
  'animatecolor',
  'animatemotion',
  'animatetransform',
  'animation',
  'audio',
  'discard',
  'filter',
  'foreignobject',
  'handler',
  'image',
  'listener',
  'prefetch',
  'script',
  'set',
  'video',
]);
const ATTRIBUTES = ':@';

/** An element as the parser orders it: its name is the member that is not `:@`. */
type Node = Readonly<Record<string, unknown>>;

/** Why receivers refuse the logo, in words; empty: nothing of what is looked at. */
export function svgProblems(text: string): readonly string[] {
  const bytes = Buffer.byteLength(text);
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return ['it declares a document type or entities'];
  if (XMLValidator.validate(text) !== true) return ['it is no well-formed XML'];
  let nodes: readonly Node[];
  try {
    const options = { preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '', processEntities: false };
    nodes = new XMLParser(options).parse(text) as readonly Node[];
  } catch {
    return ['it is no well-formed XML'];
  }
  const root = nodes.find((node) => 'svg' in node);
  if (root === undefined) return ['it is no SVG'];
  const head = attributesOf(root);
  const problems = new Set<string>();
  if (head['baseProfile'] !== 'tiny-ps') problems.add('its svg element does not say baseProfile="tiny-ps"');
  if (head['version'] !== '1.2') problems.add('its svg element does not say version="1.2"');
  if ('x' in head || 'y' in head) problems.add('its svg element has x or y');
  const children = root['svg'] as readonly Node[];
  if (!children.some((node) => Array.isArray(node['title']) && node['title'].length > 0))
    problems.add('it has no title');
  walk(children, problems, 1);
  if (bytes > MAX_LOGO_BYTES) problems.add(`it has ${bytes} bytes, more than ${MAX_LOGO_BYTES}`);
  return [...problems];
}

function walk(nodes: readonly Node[], problems: Set<string>, depth: number): void {
  if (depth > MAX_DEPTH) {
    problems.add('its elements are nested too deep');
    return;
  }
  for (const node of nodes) {
    for (const [name, value] of Object.entries(attributesOf(node))) {
      const isReference = /^(xlink:)?href$/i.test(name) && !value.trim().startsWith('#');
      const loads = [...value.matchAll(/url\(([^)]*)/gi)].some(([, url]) => !/^\s*['"]?\s*#/.test(url!));
      if (isReference || loads) problems.add('it loads something from elsewhere');
      if (/^on[a-z]+$/i.test(name)) problems.add('it has scripts');
    }
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES) ?? '';
    if (LEFT_OUT.has(name.toLowerCase())) problems.add(`it has the element ${name.slice(0, 40)}`);
    const inner = node[name];
    if (Array.isArray(inner)) walk(inner as readonly Node[], problems, depth + 1);
  }
}

function attributesOf(node: Node): Readonly<Record<string, string>> {
  return (node[ATTRIBUTES] ?? {}) as Readonly<Record<string, string>>;
}
