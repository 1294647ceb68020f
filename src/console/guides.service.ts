import { Inject, Injectable } from '@nestjs/common';
import { DocumentsService } from '../discovery/documents.service.js';
import { type ServedDocument, servedDocument } from '../discovery/send-document.js';
import { ENV, type Env } from '../platform/config/env.js';
import { readPage } from '../platform/http/built-pages.js';
import { INDEX } from './write-guides.js';

const TYPES = { html: 'text/html', md: 'text/markdown' } as const;
export type GuideForm = keyof typeof TYPES;

/** The guides as the build wrote them, with the address of this installation. Each is read once, at its first request. */
@Injectable()
export class GuidesService {
  private readonly served = new Map<string, ServedDocument>();
  private names: ReadonlySet<string> | null = null;

  constructor(
    private readonly documents: DocumentsService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** @param name of a guide, or anything that a caller sent; null where there is no such guide */
  find(name: string, form: GuideForm): ServedDocument | null {
    this.names ??= new Set([INDEX, ...readNames()]);
    if (!this.names.has(name)) return null;
    const file = `${name}.${form}`;
    return this.keep(file, () => servedDocument(`${TYPES[form]}; charset=utf-8`, this.read(file)));
  }

  /** `/llms-full.txt`: what `/llms.txt` says, then every guide. */
  whole(): ServedDocument {
    return this.keep('llms-full.txt', () => {
      const guides = readNames().map((name) => this.read(`${name}.md`));
      const text = [this.documents.get('llms-text').text, ...guides].join('\n---\n\n');
      return servedDocument('text/plain; charset=utf-8', text);
    });
  }

  private keep(name: string, make: () => ServedDocument): ServedDocument {
    const document = this.served.get(name) ?? make();
    this.served.set(name, document);
    return document;
  }

  private read(file: string): string {
    return readPage(`guides/${file}`).replaceAll('{base_url}', this.env.publicUrl);
  }
}

function readNames(): string[] {
  return JSON.parse(readPage('guides/names.json')) as string[];
}
