import { Injectable } from '@nestjs/common';
import { readMailProviders } from '../ports/mail-providers-file.js';

/** The word for hosts without a row in `config/mail-providers.json`, of which there are more than numbers can have labels. */
export const OTHER = 'other';

/** Names of mail operators as numbers may have them: rows of the file, and one word for all others. */
@Injectable()
export class OperatorLabels {
  private readonly names: ReadonlySet<string> = new Set(readMailProviders().all.map(({ name }) => name));

  of(operator: string): string {
    return this.names.has(operator) ? operator : OTHER;
  }
}
