import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';

import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** `accept`, or a whole reply of one line such as `550 5.1.1 User unknown`; a promise holds the answer back. */
export type SmtpAnswer = string | Promise<string>;

export interface SmtpServerOptions {
  /** Asked for each RCPT TO; without it every recipient is accepted. */
  readonly recipients?: (address: string, session: SMTPServerSession) => SmtpAnswer;
  /** Asked for each MAIL FROM; the null sender is the empty string. Default: accepted. */
  readonly mailFrom?: string | ((address: string, session: SMTPServerSession) => SmtpAnswer);
  /** The greeting as a whole reply, such as `554 5.7.1 No SMTP service here`. Default: 220. */
  readonly banner?: string;
  /** Default true. */
  readonly pipelining?: boolean;
  /** Offers STARTTLS with a certificate nobody trusts. Default false. */
  readonly starttls?: boolean;
  /** Default true. */
  readonly smtputf8?: boolean;
  /** Recipients taken in a transaction before `452 too many recipients`. Default: no limit. */
  readonly maxRecipients?: number;
  /** A loopback address; several servers may share a port on different ones. Default `127.0.0.1`. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
}

export interface SmtpConnectionLog {
  /** Commands as they came, without CRLF. */
  readonly commands: readonly string[];
  readonly secure: boolean;
  readonly closed: boolean;
}

export interface TestSmtpServer {
  readonly host: string;
  readonly port: number;
  /** Every connection so far, oldest first. */
  readonly connections: readonly SmtpConnectionLog[];
  /** The addresses of all RCPT TO so far, in order, as given. */
  readonly recipients: readonly string[];
  /** Cuts whatever is open. */
  close(): Promise<void>;
}

interface Log {
  readonly commands: string[];
  secure: boolean;
  closed: boolean;
}

/** A real SMTP server (the package `smtp-server`) on loopback that answers recipients as a test says. */
export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const { recipients: answer = () => 'accept', mailFrom = 'accept', banner = '220', host = '127.0.0.1' } = options;
  const logs = new Map<string, Log>();
  const recipients: string[] = [];
  const sockets = new Set<Socket>();
  const greeting = splitReply(banner);

  const server = new SMTPServer({
    name: 'mx.test',
    banner: greeting.text,
    authOptional: true,
    disabledCommands: options.starttls === true ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    hidePIPELINING: options.pipelining === false,
    hideSMTPUTF8: options.smtputf8 === false,
    ...(options.maxRecipients === undefined ? {} : { maxRecipients: options.maxRecipients }),
    logger: commandLog(logs),
    onConnect: (session, done) => {
      logFor(logs, session.id);
      done(greeting.code === 220 ? null : refusal(banner));
    },
    onSecure: (_socket, session, done) => {
      logFor(logs, session.id).secure = true;
      done();
    },
    onMailFrom: ({ address }, session, done) => {
      settle(typeof mailFrom === 'string' ? mailFrom : mailFrom(address, session), done);
    },
    onRcptTo: ({ address }, session, done) => {
      recipients.push(address);
      settle(answer(address, session), done);
    },
    onClose: (session) => {
      logFor(logs, session.id).closed = true;
    },
  });
  // A peer that cuts its connection is a test's business, not an error.
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(options.port ?? 0, host), 'listening');

  return {
    host,
    port: (server.server.address() as AddressInfo).port,
    recipients,
    get connections() {
      return [...logs.values()];
    },
    close: async () => {
      const closed = once(server.server, 'close');
      server.server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function logFor(logs: Map<string, Log>, id: string): Log {
  const known = logs.get(id);
  if (known !== undefined) return known;
  const log: Log = { commands: [], secure: false, closed: false };
  logs.set(id, log);
  return log;
}

/** The package tells the commands it reads, after TLS as well, to its logger only. */
function commandLog(logs: Map<string, Log>) {
  const silent = () => undefined;
  const debug = (entry: { tnx?: string; cid?: string }, _format: string, line: string) => {
    if (entry.tnx === 'command' && entry.cid !== undefined) logFor(logs, entry.cid).commands.push(line);
  };
  return { level: silent, trace: silent, debug, info: silent, warn: silent, error: silent, fatal: silent };
}

function settle(answer: SmtpAnswer, done: (error?: Error | null) => void): void {
  if (typeof answer !== 'string') void answer.then((later) => settle(later, done));
  else done(answer === 'accept' ? null : refusal(answer));
}

function refusal(reply: string): Error {
  const { code, text } = splitReply(reply);
  return Object.assign(new Error(text), { responseCode: code });
}

function splitReply(reply: string): { code: number; text: string } {
  return { code: Number(reply.slice(0, 3)), text: reply.slice(4) };
}
