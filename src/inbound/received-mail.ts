/** How a mail came: the envelope of RFC 5321, and who handed it over. */
export interface Envelope {
  /** Of whoever connected to us, or to the proxy that we believe. */
  readonly clientAddress: string;
  /** What it called itself in HELO or EHLO. */
  readonly clientName: string;
  /** Empty for a bounce (RFC 5321 section 4.5.5). */
  readonly mailFrom: string;
  readonly recipient: string;
  /** The version of TLS; null: in clear. */
  readonly tls: string | null;
}

/** A mail as it came, whole. */
export interface ReceivedMail extends Envelope {
  readonly raw: Buffer;
  readonly receivedAt: Date;
}
