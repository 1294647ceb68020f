import { X509Certificate } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { FetchedFile, LogoContent, MarkCertificate } from '../../engine/domain/bimi-record.js';
import { namesIn } from '../../lib/certificate-names.js';
import { AddressRefused } from '../../webhooks/worker/guarded-connector.js';
import { GuardedFetch, type GuardedFetchOptions, isSilence, TooLarge } from './guarded-fetch.js';
import { svgProblems } from './svg-profile.js';

/** Receivers take logos of 32 KB; more is read, so that its size can be told. */
const LIMITS = { withinMs: 10_000, maxBytes: 262_144 };
/** The key purpose of certificates for logos (id-kp-BrandIndicatorforMessageIdentification). */
const FOR_MARKS = '1.3.6.1.5.5.7.3.31';
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Fetches logos and mark certificates of BIMI, from public addresses alone: the domain's owner names the hosts. */
export class BimiFetcher {
  readonly #fetch: GuardedFetch;

  constructor(options: GuardedFetchOptions) {
    this.#fetch = new GuardedFetch(options);
  }

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
      const answer = await this.#fetch.get(new URL(url), LIMITS);
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

  async close(): Promise<void> {
    await this.#fetch.close();
  }
}
