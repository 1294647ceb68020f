// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/** A request as replies tell of it. */
export interface Told {
  readonly method: string;
  /** With `{id}` where the id of a thing belongs (RFC 6570). */
  readonly url: string;
  readonly body?: object;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sent: unknown;
  readonly answer: Answer;
}

/**
 * A program that knows the base URL, HTTP, JSON, Markdown and links, and nothing of this service: it follows what replies say, puts
 * its own values in the place of a body's examples, and writes down what it did.
 */
export class Stranger {
  readonly exchanges: Exchange[] = [];
  /** What it sends as `Authorization`. */
  authorization: string | null = null;

  constructor(private readonly baseUrl: string) {}

  get requests(): number {
    return this.exchanges.length;
  }

  get(url: string, accept: string): Promise<Answer> {
    return this.ask('GET', new URL(url, this.baseUrl).href, { Accept: accept });
  }

  /** @param body takes the place of the example's members; @param id of the thing in the URL */
  follow({ method, url, body: example }: Told, body?: object, id?: number): Promise<Answer> {
    const named = url.replace('{id}', String(id));
    const sent = body ?? example;
    for (const name of Object.keys(body ?? {}))
      if (example !== undefined && !(name in example)) throw new Error(`nobody has told that ${url} takes ${name}`);
    return this.ask(method, named, {}, sent);
  }

  private async ask(method: string, url: string, accepted: Record<string, string>, sent?: unknown): Promise<Answer> {
    const headers = {
      ...accepted,
      ...(this.authorization !== null && { Authorization: this.authorization }),
      ...(sent !== undefined && { 'Content-Type': 'application/json' }),
    };
    const response = await fetch(url, { method, headers, ...(sent !== undefined && { body: JSON.stringify(sent) }) });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    this.exchanges.push({ method, path: url.slice(this.baseUrl.length) || '/', headers, sent, answer });
    return answer;
  }
}
