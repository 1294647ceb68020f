import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket, type SecureContextOptions } from 'node:tls';

export interface StoredMail {
  readonly uid: number;
  readonly arrivedAt: Date;
  /** The whole message, CRLF at line ends. */
  readonly raw: string;
  /** What Gmail has put it under. */
  readonly category?: string;
}

export interface MailFolder {
  readonly path: string;
  /** Such as `\Junk`. */
  readonly flags?: readonly string[];
  readonly mails: StoredMail[];
}

export interface ImapScript {
  readonly user?: string;
  readonly password?: string;
  readonly accessToken?: string;
  readonly folders?: readonly MailFolder[];
  readonly capabilities?: readonly string[];
  /** Bytes instead of the greeting; null: none. */
  readonly greeting?: string | null;
  /**
   * What to do with a command: bytes are written as they are, null writes nothing, undefined leaves it to the honest server.
   * `tag` has gone from the line already.
   */
  readonly onLine?: (line: string, connection: ImapConnection) => string | null | undefined;
  readonly onConnect?: (connection: ImapConnection) => void;
  /** TLS from the first byte. */
  readonly tls?: SecureContextOptions;
  /** What STARTTLS upgrades with. */
  readonly startTls?: SecureContextOptions;
}

export interface ImapConnection {
  readonly tag: string;
  readonly socket: Socket;
  readonly lines: readonly string[];
}

export interface ScriptedImapServer {
  readonly host: string;
  readonly port: number;
  /** All commands of all connections, without their tags. */
  readonly lines: readonly string[];
  /** Connections that are open at this moment, and the most that ever were. */
  readonly open: { now: number; most: number };
  close(): Promise<void>;
}

/** An IMAP server (RFC 3501) on loopback that knows what our sessions ask, is honest where the script says nothing, and exact to the byte. */
export async function startScriptedImapServer(script: ImapScript = {}): Promise<ScriptedImapServer> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const open = { now: 0, most: 0 };
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    socket.on('close', () => {
      sockets.delete(socket);
      open.now -= 1;
    });
    Connection.begin(socket, script, lines);
  };
  const server = script.tls === undefined ? createServer(accept) : createTlsServer(script.tls, accept);
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    lines,
    open,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

class Connection implements ImapConnection {
  tag = '*';
  socket: Socket;
  readonly lines: string[] = [];
  #partial = '';
  #selected: MailFolder | null = null;
  #isAuthenticated = false;
  /** Text that AUTHENTICATE waits for, with the tag of its command. */
  #awaits: string | null = null;

  static begin(socket: Socket, script: ImapScript, all: string[]): Connection {
    return new Connection(socket, script, all);
  }

  private constructor(
    socket: Socket,
    private readonly script: ImapScript,
    private readonly all: string[],
  ) {
    this.socket = socket;
    this.#read(socket);
    script.onConnect?.(this);
    const { greeting = '* OK IMAP4rev1 ready\r\n' } = script;
    if (greeting !== null) socket.write(greeting);
  }

  #read(socket: Socket): void {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.#partial += chunk.toString('latin1');
      for (;;) {
        const end = this.#partial.indexOf('\r\n');
        if (end < 0) return;
        const line = this.#partial.slice(0, end);
        this.#partial = this.#partial.slice(end + 2);
        this.#answer(line);
      }
    });
  }

  #answer(whole: string): void {
    if (this.#awaits !== null) {
      this.tag = this.#awaits;
      this.#awaits = null;
      return this.#write(this.#plain(whole));
    }
    const [tag = '', ...rest] = whole.split(' ');
    const line = rest.join(' ');
    this.tag = tag;
    this.lines.push(line);
    this.all.push(line);
    const scripted = this.script.onLine?.(line, this);
    if (scripted !== undefined) return scripted === null ? undefined : this.#write(scripted);
    if (/^STARTTLS$/i.test(line) && this.script.startTls !== undefined) return this.#startTls(this.script.startTls);
    this.#write(this.#honest(line));
  }

  #write(bytes: string): void {
    if (this.socket.writable) this.socket.write(Buffer.from(bytes, 'utf8'));
  }

  #startTls(context: SecureContextOptions): void {
    const plain = this.socket;
    this.#write(`${this.tag} OK begin\r\n`);
    plain.removeAllListeners('data');
    const secured = new TLSSocket(plain, { isServer: true, ...context });
    this.socket = secured;
    this.#read(secured);
  }

  get #capabilities(): string {
    const { capabilities = ['IMAP4rev1', 'SPECIAL-USE', 'AUTH=PLAIN', 'AUTH=XOAUTH2', 'SASL-IR'], startTls } =
      this.script;
    return [...capabilities, ...(startTls === undefined || this.socket instanceof TLSSocket ? [] : ['STARTTLS'])].join(
      ' ',
    );
  }

  #honest(line: string): string {
    const [verb = '', ...words] = line.split(' ');
    const name = verb.toUpperCase() === 'UID' ? `UID ${words[0]?.toUpperCase()}` : verb.toUpperCase();
    const done = `${this.tag} OK done\r\n`;
    switch (name) {
      case 'CAPABILITY':
        return `* CAPABILITY ${this.#capabilities}\r\n${done}`;
      case 'AUTHENTICATE':
        return this.#authenticate(words);
      case 'LOGIN':
        return this.#login(unquoted(words[0] ?? ''), unquoted(words.slice(1).join(' ')));
      case 'LOGOUT':
        this.socket.end(`* BYE\r\n${done}`);
        return '';
      case 'NOOP':
      case 'ID':
      case 'NAMESPACE':
        return name === 'NAMESPACE' ? `* NAMESPACE (("" "/")) NIL NIL\r\n${done}` : done;
    }
    if (!this.#isAuthenticated) return `${this.tag} BAD log in first\r\n`;
    // RFC 3501 section 6.3.8: an empty name asks for the delimiter only.
    if (name === 'LIST') return `${words[1] === '""' ? '* LIST (\\Noselect) "/" ""\r\n' : this.#list()}${done}`;
    if (name === 'LSUB') return done;
    if (name === 'EXAMINE') return this.#examine(unquoted(words.join(' ')));
    if (name === 'UID SEARCH') return `* SEARCH${this.#search(words.slice(1).join(' '))}\r\n${done}`;
    if (name === 'UID FETCH') return `${this.#fetch(words[1] ?? '')}${done}`;
    return `${this.tag} BAD ${name} is not for readers\r\n`;
  }

  #authenticate([method = '', initial]: string[]): string {
    if (initial === undefined) {
      this.#awaits = this.tag;
      return '+ \r\n';
    }
    return method.toUpperCase() === 'XOAUTH2' ? this.#token(initial) : this.#plain(initial);
  }

  #plain(text: string): string {
    const [, user = '', password = ''] = Buffer.from(text, 'base64').toString('utf8').split('\0');
    return this.#login(user, password);
  }

  #token(text: string): string {
    const given = Buffer.from(text, 'base64').toString('utf8').split('auth=Bearer ')[1]?.split('\u0001')[0];
    return this.#say(given === this.script.accessToken && given !== undefined);
  }

  #login(user: string, password: string): string {
    const { user: right = 'seed@mail.test', password: secret = 'pass' } = this.script;
    return this.#say(user === right && password === secret);
  }

  #say(isRight: boolean): string {
    this.#isAuthenticated = isRight;
    return isRight ? `${this.tag} OK in\r\n` : `${this.tag} NO [AUTHENTICATIONFAILED] wrong name or password\r\n`;
  }

  #list(): string {
    const { folders = [] } = this.script;
    return folders.map(({ path, flags = [] }) => `* LIST (${flags.join(' ')}) "/" "${path}"\r\n`).join('');
  }

  #examine(path: string): string {
    const folder = this.script.folders?.find((one) => one.path === path);
    if (folder === undefined) return `${this.tag} NO there is none\r\n`;
    this.#selected = folder;
    const next = 1 + Math.max(0, ...folder.mails.map(({ uid }) => uid));
    return `* ${folder.mails.length} EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT ${next}] ok\r\n* FLAGS (\\Seen)\r\n${this.tag} OK [READ-ONLY] done\r\n`;
  }

  #search(query: string): string {
    const body = /\bBODY ("[^"]*"|\S+)/i.exec(query)?.[1];
    const gmail = /X-GM-RAW ("(?:[^"\\]|\\.)*"|\S+)/i.exec(query)?.[1];
    const since = /\bSINCE (\S+)/i.exec(query)?.[1];
    const day = since === undefined ? 0 : Date.parse(`${unquoted(since)} UTC`);
    const found = (this.#selected?.mails ?? []).filter(
      ({ raw, arrivedAt, category }) =>
        arrivedAt.getTime() >= day &&
        (body === undefined || raw.slice(raw.indexOf('\r\n\r\n')).includes(unquoted(body))) &&
        (gmail === undefined || unquoted(gmail).includes(`category:${category ?? 'primary'} `)),
    );
    return found.map(({ uid }) => ` ${uid}`).join('');
  }

  #fetch(set: string): string {
    const wanted = new Set(set.split(',').map(Number));
    const mails = this.#selected?.mails ?? [];
    return mails
      .map((mail, index) => ({ mail, seq: index + 1 }))
      .filter(({ mail }) => wanted.has(mail.uid))
      .map(({ mail: { uid, raw, arrivedAt }, seq }) => {
        const head = raw.slice(0, raw.indexOf('\r\n\r\n') + 4);
        const size = Buffer.byteLength(head);
        return `* ${seq} FETCH (UID ${uid} INTERNALDATE "${imapDate(arrivedAt)}" BODY[HEADER]<0> {${size}}\r\n${head})\r\n`;
      })
      .join('');
  }
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function imapDate(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = String(at.getUTCDate()).padStart(2, ' ');
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':');
  return `${day}-${MONTHS[at.getUTCMonth()]}-${at.getUTCFullYear()} ${time} +0000`;
}
