import { Tokenizer, TokenType } from '@streamparser/json';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { type KnownMembers, StreamedMembers } from '../../platform/http/known-members.js';
import { settingsIn, takeSetting } from './body-settings.js';
import {
  type Bytes,
  checkLength,
  type IntakeRow,
  type IntakeSettings,
  MAX_CHARACTERS,
  type RowPiece,
  type Rows,
} from './sent-body.js';
import { PlainRows, type PlainRun, scanPlain } from './line-reader.js';

type Value = string | number | boolean | null | undefined;
/** What may come next, in the grammar of RFC 8259. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end';

/** The longest run of bytes between two tokens: no value that the reader needs is longer. */
const MAX_BYTES_OF_A_TOKEN = 65_536;
const MAX_DEPTH = 100;
const QUOTE = 0x22;
const LEFT_BRACKET = 0x5b;

const MEMBERS: KnownMembers = new Map([...settingsIn('addresses'), ['emails', null]]);

/** Reads `{"emails": […]}` with the settings beside it. In memory is no more than the piece that it reads. */
export async function* readJson(body: Bytes, settings: IntakeSettings, refusesUnknown: boolean): Rows {
  const reader = new JsonReader(new BatchGrammar(settings, new StreamedMembers(MEMBERS, refusesUnknown)));
  for await (const piece of body) yield* reader.read(piece);
  reader.end();
}

/** Reads plain addresses by their bytes, which is far faster, and hands the rest to the tokenizer. */
class JsonReader {
  private readonly tokenizer = new Tokenizer({ stringBufferSize: 0 });
  private bytesSinceToken = 0;
  private isWithinText = false;

  constructor(private readonly grammar: BatchGrammar) {
    this.tokenizer.onToken = ({ token, value }) => {
      this.bytesSinceToken = 0;
      this.isWithinText = false;
      grammar.take(token, value);
    };
    this.tokenizer.onError = (error) => {
      throw error instanceof AppError ? error : malformed(error);
    };
    this.tokenizer.onEnd = () => {};
  }

  *read(piece: Buffer): Generator<RowPiece> {
    let at = 0;
    while (at < piece.length) {
      if (this.grammar.isAmongEmails && !this.isWithinText) {
        const plain = scanPlain(piece, at, this.grammar.expectsComma);
        if (plain.bounds.length > 0) {
          if (this.grammar.rows.length > 0) yield this.grammar.takeRows();
          yield new PlainRows(piece, plain.bounds);
        }
        this.grammar.passPlain(plain);
        at = plain.end;
      }
      if (at < piece.length) at = this.tokenize(piece, at);
    }
    if (this.grammar.rows.length > 0) yield this.grammar.takeRows();
  }

  end(): void {
    if (!this.tokenizer.isEnded) this.tokenizer.end();
    this.grammar.end();
  }

  /** Tokenizes up to where plain addresses may begin: after a bracket, and among addresses after a text. @returns where that is */
  private tokenize(piece: Buffer, at: number): number {
    const { grammar } = this;
    const wasAmongEmails = grammar.isAmongEmails;
    const isOpening = !this.isWithinText && piece[at] === QUOTE;
    const found = piece.indexOf(wasAmongEmails ? QUOTE : LEFT_BRACKET, isOpening ? at + 1 : at);
    const end = found < 0 ? piece.length : found + 1;
    this.bytesSinceToken += end - at;
    this.isWithinText = wasAmongEmails;
    this.tokenizer.write(piece.subarray(at, end));
    if (this.bytesSinceToken > MAX_BYTES_OF_A_TOKEN + end - at)
      throw invalidField('body', 'holds a text that is too long');
    return end;
  }
}

/** Takes the tokens one by one, and knows the position of each in the document. */
class BatchGrammar {
  rows: IntakeRow[] = [];
  private readonly open: ('{' | '[')[] = [];
  private expected: Expected = 'value';
  private key = '';
  private count = 0;
  private hasEmails = false;

  constructor(
    private readonly settings: IntakeSettings,
    private readonly members: StreamedMembers,
  ) {}

  get isAmongEmails(): boolean {
    return this.open.length === 2 && this.key === 'emails';
  }

  get expectsComma(): boolean {
    return this.expected === 'comma';
  }

  /** Counts addresses that `scanPlain` has read. */
  passPlain({ bounds, next }: PlainRun): void {
    this.count += bounds.length / 2;
    if (next !== null) this.expected = next;
  }

  takeRows(): readonly IntakeRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  take(token: TokenType, value: Value): void {
    if (token === TokenType.STRING) return this.takeString(value as string);
    if (token === TokenType.COMMA) return this.takeComma();
    if (token === TokenType.COLON) return this.move(this.expected === 'colon', 'value');
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) return this.close(token);
    this.takeValue(token, value);
  }

  end(): void {
    if (this.expected !== 'end') throw malformed();
    this.members.end();
    if (!this.hasEmails) throw invalidField('emails', 'must be an array');
  }

  private takeString(value: string): void {
    if (this.expected === 'key' || this.expected === 'first key') {
      if (this.open.length === 1) {
        this.members.take(value);
        this.key = value;
      }
      this.expected = 'colon';
      return;
    }
    this.takeValue(TokenType.STRING, value);
  }

  private takeValue(token: TokenType, value: Value): void {
    this.check(this.expected === 'value' || this.expected === 'first value');
    const depth = this.open.length;
    if (depth === 0 && token !== TokenType.LEFT_BRACE) throw invalidField('body', 'must be a JSON object');
    if (depth === 1) this.takeMember(token, value);
    if (depth === 2 && this.key === 'emails') this.takeEmail(token, value);
    if (!isOpening(token)) return this.afterValue();
    if (depth >= MAX_DEPTH) throw invalidField('body', 'is nested too deeply');
    this.open.push(token === TokenType.LEFT_BRACE ? '{' : '[');
    this.expected = token === TokenType.LEFT_BRACE ? 'first key' : 'first value';
  }

  private takeMember(token: TokenType, value: Value): void {
    if (this.key === 'emails') {
      if (token !== TokenType.LEFT_BRACKET) throw invalidField('emails', 'must be an array');
      if (this.hasEmails) throw invalidField('emails', 'must be given once');
      this.hasEmails = true;
    }
    // What an object or a list holds is no value of a setting, whatever it is.
    takeSetting(this.settings, 'addresses', this.key, isOpening(token) ? {} : value);
  }

  private takeEmail(token: TokenType, value: Value): void {
    if (token !== TokenType.STRING) throw invalidField(`emails[${this.count}]`, 'must be a string');
    const email = value as string;
    if (email.length > MAX_CHARACTERS) checkLength(email, `emails[${this.count}]`);
    this.rows.push({ item: email, extraColumns: null });
    this.count += 1;
  }

  private takeComma(): void {
    this.move(this.expected === 'comma', this.open.at(-1) === '{' ? 'key' : 'value');
  }

  private close(token: TokenType): void {
    const isBrace = token === TokenType.RIGHT_BRACE;
    const isAllowed = this.expected === 'comma' || this.expected === (isBrace ? 'first key' : 'first value');
    this.check(isAllowed && this.open.pop() === (isBrace ? '{' : '['));
    this.afterValue();
  }

  private afterValue(): void {
    this.expected = this.open.length === 0 ? 'end' : 'comma';
  }

  private move(isAllowed: boolean, next: Expected): void {
    this.check(isAllowed);
    this.expected = next;
  }

  private check(isAllowed: boolean): void {
    if (!isAllowed) throw malformed();
  }
}

function isOpening(token: TokenType): boolean {
  return token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET;
}

function malformed(cause?: Error): AppError {
  return new AppError('malformed_json', { cause });
}
