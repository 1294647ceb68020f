import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket, type SecureContext, type SecureContextOptions } from 'node:tls';

import { SMTPServer } from 'smtp-server';

/**
 * What to do with a line: a string is written as the reply (CRLF is added), null writes nothing, undefined leaves it to the
 * honest server. Lines of a connection are answered one after another; a promise holds back that one and those behind it.
 */
export type ScriptedAnswer = string | null | undefined | Promise<string | null | undefined>;

export interface SmtpScript {
  /** The greeting. Default: `220 mx.test ESMTP`. */
  readonly onConnect?: (connection: ScriptedConnection) => ScriptedAnswer;
  /** A command without its CRLF. */
  readonly onLine?: (line: string, connection: ScriptedConnection) => ScriptedAnswer;
  /** EHLO keywords. Default: PIPELINING, 8BITMIME, SMTPUTF8, ENHANCEDSTATUSCODES. STARTTLS is honoured when it is among them. */
  readonly extensions?: readonly string[];
  /** How it speaks TLS; whatever Node does where nothing is said. */
  readonly tls?: SecureContextOptions;
  /** A loopback address; several servers may share a port on different ones. Default `127.0.0.1`. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
}

export interface ScriptedConnection {
  /** 0 for the server's first connection. */
  readonly index: number;
  /** The client's address. */
  readonly from: string;
  /** Lines that came so far. */
  readonly lines: readonly string[];
  readonly secure: boolean;
  readonly closed: boolean;
  /** Bytes as they are, at once. */
  write(bytes: string | Uint8Array): void;
  /** What the honest server says to a line. */
  honest(line: string): string;
  /** Upgrades to TLS as a server does after its 220 to STARTTLS. */
  startTls(): void;
  /** Reads on but answers nothing from now on. */
  mute(): void;
  /** Closes in good order, after what was written. */
  end(): void;
  /** Cuts with a TCP reset. */
  reset(): void;
}

export interface ScriptedSmtpServer {
  readonly host: string;
  readonly port: number;
  /** Every connection so far, oldest first. */
  readonly connections: readonly ScriptedConnection[];
  /** The addresses of all RCPT TO so far, in order. */
  readonly recipients: readonly string[];
  /** Resolves when the condition holds; looked at after every connection, line and close. */
  until(condition: () => boolean): Promise<void>;
  /** Cuts whatever is open. */
  close(): Promise<void>;
}

const EXTENSIONS = ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES'];
/** The certificate that the package `smtp-server` brings; nobody trusts it. */
const contextOf = (options: SecureContextOptions): SecureContext =>
  new SMTPServer({ logger: false, ...options }).secureContext.get('*')!;
const ANY_TLS = contextOf({});

/** A server on loopback that is honest (RFC 5321, PIPELINING, STARTTLS) where the script says nothing, and exact to the byte. */
export async function startScriptedSmtpServer(script: SmtpScript = {}): Promise<ScriptedSmtpServer> {
  const { host = '127.0.0.1' } = script;
  const connections: Connection[] = [];
  const recipients: string[] = [];
  const waiting = new Set<() => void>();
  const changed = () => {
    for (const look of waiting) look();
  };
  const server = createServer((socket) => {
    connections.push(new Connection(connections.length, socket, script, recipients, changed));
    changed();
  });
  server.listen(script.port ?? 0, host);
  await once(server, 'listening');

  return {
    host,
    port: (server.address() as AddressInfo).port,
    connections,
    recipients,
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
}

class Connection implements ScriptedConnection {
  readonly lines: string[] = [];
  readonly from: string;
  secure = false;
  closed = false;
  #stream: Socket;
  #partial = '';
  #muted = false;
  #work: Promise<void> = Promise.resolve();
  #greeted = false;
  #hasSender = false;
  readonly #secureContext: SecureContext;

  constructor(
    readonly index: number,
    private readonly socket: Socket,
    private readonly script: SmtpScript,
    private readonly recipients: string[],
    private readonly changed: () => void,
  ) {
    this.#stream = socket;
    this.from = socket.remoteAddress ?? '';
    this.#secureContext = script.tls === undefined ? ANY_TLS : contextOf(script.tls);
    socket.setNoDelay(true);
    socket.on('close', () => {
      this.closed = true;
      this.changed();
    });
    this.#read(socket);
    this.#answer(() => (script.onConnect === undefined ? undefined : script.onConnect(this)), '220 mx.test ESMTP');
  }

  write(bytes: string | Uint8Array): void {
    if (this.#stream.writable) this.#stream.write(bytes);
  }

  honest(line: string): string {
    const verb = verbOf(line);
    const extensions = this.script.extensions ?? EXTENSIONS;
    if (verb === 'EHLO') return greeting(extensions);
    if (verb === 'HELO') return greeting([]);
    if (verb === 'QUIT') return '221 2.0.0 Bye';
    if (verb === 'NOOP' || verb === 'RSET') return '250 2.0.0 Ok';
    if (verb === 'STARTTLS' && extensions.includes('STARTTLS')) return '220 2.0.0 Ready to start TLS';
    if (verb !== 'MAIL' && verb !== 'RCPT') return '502 5.5.2 Error: command not recognized';
    if (!this.#greeted) return '503 5.5.1 Error: send HELO/EHLO first';
    if (verb === 'RCPT') return this.#hasSender ? '250 2.1.5 Ok' : '503 5.5.1 Error: need MAIL command';
    return this.#hasSender ? '503 5.5.1 Error: nested MAIL command' : '250 2.1.0 Ok';
  }

  startTls(): void {
    this.socket.removeAllListeners('data');
    const secured = new TLSSocket(this.socket, { isServer: true, secureContext: this.#secureContext });
    this.#partial = '';
    this.#greeted = false;
    this.#hasSender = false;
    secured.once('secure', () => {
      this.secure = true;
    });
    this.#stream = secured;
    this.#read(secured);
  }

  mute(): void {
    this.#muted = true;
  }

  end(): void {
    this.#stream.end();
  }

  reset(): void {
    this.socket.resetAndDestroy();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Whatever was answered, by the script or honestly, decides what comes next. */
  #follow(line: string, reply: string): void {
    if (!reply.startsWith('2')) return;
    const verb = verbOf(line);
    if (verb === 'EHLO' || verb === 'HELO') this.#greeted = true;
    if (verb === 'MAIL') this.#hasSender = true;
    if (verb === 'EHLO' || verb === 'HELO' || verb === 'RSET') this.#hasSender = false;
    if (verb === 'QUIT') this.end();
    if (verb === 'STARTTLS') this.startTls();
  }

  #read(stream: Socket): void {
    // A peer that cuts its connection is a test's business, not an error.
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => {
      const pieces = (this.#partial + chunk.toString()).split('\n');
      this.#partial = pieces.pop()!;
      for (const piece of pieces) this.#hear(piece.replace(/\r$/, ''));
    });
  }

  #hear(line: string): void {
    this.lines.push(line);
    const recipient = /^RCPT TO:\s*<(.*?)>/i.exec(line);
    if (recipient !== null) this.recipients.push(recipient[1]!);
    this.#answer(() => this.script.onLine?.(line, this), null, line);
    this.changed();
  }

  /** Answers after everything before it is answered. */
  #answer(scripted: () => ScriptedAnswer, fallback: string | null, line?: string): void {
    this.#work = this.#work.then(async () => {
      if (this.closed || this.#muted) return;
      const answer = await scripted();
      if (answer === null || this.closed) return;
      const reply = answer ?? fallback ?? this.honest(line!);
      this.write(`${reply}\r\n`);
      if (line !== undefined) this.#follow(line, reply);
    });
  }
}

function verbOf(line: string): string {
  return /^\S*/.exec(line.toUpperCase())![0];
}

function greeting(extensions: readonly string[]): string {
  const lines = ['mx.test', ...extensions];
  return lines.map((line, at) => `250${at === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n');
}
