import type { HeaderField } from './message/header-block.js';
import { readMessage } from './message/read-message.js';
import { type SeenSignatures, verifySignatures } from './message/signatures.js';
import { type ContentSection, contentSection } from './sections/content.js';
import { type HeadersSection, headersSection } from './sections/headers.js';

/** All that the octets of a message tell, before anybody is asked about it. */
export interface MessageFacts {
  readonly fields: readonly HeaderField[];
  readonly leftOutSignatures: number;
  readonly headers: HeadersSection;
  /** Null: its parts cannot be read. */
  readonly content: ContentSection | null;
  /** Without keys. */
  readonly signatures: SeenSignatures;
}

/** Runs in a thread. @returns null when the header is too large to be looked at */
export async function messageFacts(
  raw: Buffer,
  { sender, receivedAt }: { readonly sender: string; readonly receivedAt: Date },
): Promise<MessageFacts | null> {
  const message = await readMessage(raw);
  if (message === null) return null;
  const { fields, leftOutSignatures } = message;
  return {
    fields,
    leftOutSignatures,
    headers: headersSection(message, receivedAt),
    content: contentSection(message),
    signatures: await verifySignatures(raw, { sender, keys: new Map() }),
  };
}
