type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The part of an OpenAPI operation that a sample is made of. */
interface SampledOperation {
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly example?: Json }>> };
}

interface Immutable {
  getIn(path: readonly (string | number)[]): { toJS(): unknown } | string | undefined;
}

interface OperationProps {
  readonly path: string;
  readonly method: string;
  readonly specSelectors: { specJson(): Immutable };
}

/** The part of Swagger UI's own types that is used here; an element of React is whatever its library makes. */
interface SwaggerSystem {
  readonly React: {
    createElement(type: unknown, props: object | null, ...children: unknown[]): unknown;
    useState<T>(initial: T): [T, (next: T) => void];
  };
}

/**
 * A plugin of Swagger UI that shows each operation as a command and as programs, before its replies: the page itself shows one
 * only after it was tried out, and the documents stay small for the models that read them.
 * It runs in the browser: Nest writes its source text into the page's script, so that it can refer to nothing here.
 */
export function codeSamples(this: void, { React }: SwaggerSystem): object {
  interface Request {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: Json | undefined;
  }
  const KEY = 'MAILSONDE_KEY';

  function requestOf({ path, method, specSelectors }: OperationProps): Request {
    const document = specSelectors.specJson();
    const found = document.getIn(['paths', path, method]);
    const operation = (typeof found === 'object' ? found.toJS() : {}) as SampledOperation;
    const body = operation.requestBody?.content?.['application/json']?.example;
    const headers: [string, string][] = [];
    if (operation.security?.length) headers.push(['Authorization', 'Bearer ']);
    if (body !== undefined) headers.push(['Content-Type', 'application/json']);
    return {
      method: method.toUpperCase(),
      url: `${document.getIn(['servers', 0, 'url']) as string}${path}`,
      headers,
      body,
    };
  }

  const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const SAMPLES: Readonly<Record<string, (request: Request) => string>> = {
    curl({ method, url, headers, body }) {
      const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${shellText(url)}`];
      for (const [name, value] of headers)
        lines.push(name === 'Authorization' ? `-H "${name}: ${value}$${KEY}"` : `-H ${shellText(`${name}: ${value}`)}`);
      if (body !== undefined) lines.push(`-d ${shellText(JSON.stringify(body))}`);
      return lines.join(' \\\n  ');
    },
    Node({ method, url, headers, body }) {
      const sent = headers.map(([name, value]) =>
        name === 'Authorization'
          ? `    ${name}: \`${value}\${env.${KEY}}\`,\n`
          : `    ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
      );
      const options = [
        ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},\n`]),
        ...(sent.length === 0 ? [] : [`  headers: {\n${sent.join('')}  },\n`]),
        ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),\n`]),
      ];
      const given = options.length === 0 ? '' : `, {\n${options.join('')}}`;
      const imports = headers.some(([name]) => name === 'Authorization')
        ? `import { env } from 'node:process';\n\n`
        : '';
      return `${imports}const reply = await fetch(${JSON.stringify(url)}${given});\nconsole.log(reply.status, await reply.text());`;
    },
    Python({ method, url, headers, body }) {
      const python = (value: Json): string => {
        if (value === null) return 'None';
        if (typeof value === 'boolean') return value ? 'True' : 'False';
        if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
        if (typeof value !== 'object') return JSON.stringify(value);
        const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${python(member)}`);
        return `{${members.join(', ')}}`;
      };
      const hasKey = headers.some(([name]) => name === 'Authorization');
      const lines = [`    ${JSON.stringify(method)},\n    ${JSON.stringify(url)},\n`];
      if (hasKey) lines.push(`    headers={"Authorization": f"Bearer {os.environ['${KEY}']}"},\n`);
      if (body !== undefined) lines.push(`    json=${python(body)},\n`);
      return `${hasKey ? 'import os\n' : ''}import requests\n\nreply = requests.request(\n${lines.join('')})\nprint(reply.status_code, reply.text)`;
    },
  };

  function Samples(props: OperationProps): unknown {
    const names = Object.keys(SAMPLES);
    const [chosen, choose] = React.useState(names[0]!);
    const buttons = names.map((name) =>
      React.createElement(
        'button',
        { key: name, type: 'button', className: 'btn', 'aria-pressed': name === chosen, onClick: () => choose(name) },
        name,
      ),
    );
    const text = SAMPLES[chosen]!(requestOf(props));
    return React.createElement(
      'div',
      { className: 'code-samples' },
      React.createElement(
        'div',
        { className: 'opblock-section-header' },
        React.createElement('h4', null, 'Example'),
        ...buttons,
      ),
      React.createElement('pre', { tabIndex: 0, 'aria-label': `Example, ${chosen}` }, text),
    );
  }

  return {
    wrapComponents: {
      responses: (Responses: unknown) => (props: OperationProps) =>
        React.createElement('div', null, React.createElement(Samples, props), React.createElement(Responses, props)),
    },
  };
}
