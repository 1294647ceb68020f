import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Letter {
  readonly from: string;
  readonly to: readonly string[];
  /** With its headers, and lines as they were before they were sent. */
  readonly text: string;
}

export interface LetterBox {
  /** As `MAIL_SMTP_URL` takes it. */
  readonly url: string;
  /** Oldest first. */
  readonly letters: readonly Letter[];
  close(): Promise<void>;
}

/** A real mail server on loopback that takes our letters; mail for `nobody.example` is refused. */
export async function startLetterBox(): Promise<LetterBox> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, done) => {
      const isRefused = address.endsWith('@nobody.example');
      done(isRefused ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null);
    },
    onData: (stream, { envelope }, done) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const text = Buffer.concat(pieces).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        letters.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
