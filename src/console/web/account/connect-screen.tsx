import { useSignal } from '@preact/signals';
import { Code } from '../parts/code.js';
import { Section, useLoad, usePolling } from '../parts/listing.js';
import { Time } from '../parts/values.js';
import { api } from '../session/api.js';
import { may, session } from '../session/session.js';

const RELOAD_MS = 5_000;

/** How a program or an assistant of the customer's calls the service, and whether it did. */
export function ConnectScreen() {
  const snippets = snippetsFor(location.origin);
  const chosen = useSignal(snippets[0]!.name);
  const snippet = snippets.find(({ name }) => name === chosen.value) ?? snippets[0]!;
  const key = session.value?.key;
  return (
    <>
      <h1>Connect</h1>
      <p>
        The key that you are signed in with ends in <code>…{key?.last_four}</code>. It cannot be shown again: where{' '}
        <code>{KEY_VARIABLE}</code> stands goes the key that you kept, or <a href="/console/keys">a new one</a>.
      </p>
      <div class="chips" role="group" aria-label="Where to call from">
        {snippets.map(({ name }) => (
          <button key={name} type="button" aria-pressed={name === snippet.name} onClick={() => (chosen.value = name)}>
            {name}
          </button>
        ))}
      </div>
      <div class="card">
        <p>{snippet.about}</p>
        <Code label={snippet.name} text={snippet.text} />
      </div>
      {may('keys') && key !== undefined && <LastCall id={key.id} />}
      <p>
        More: <a href="/docs/guides">guides</a>, <a href="/docs">every route</a>, <a href="/docs/guides/mcp">MCP</a>.
      </p>
    </>
  );
}

/** Looks again and again while the page is seen. */
function LastCall({ id }: { readonly id: string }) {
  const loaded = useLoad((signal) => usesOf(id, signal), [id]);
  usePolling(loaded, RELOAD_MS);
  if (loaded.data.value === null) return null;
  const { own, other } = loaded.data.value;
  return (
    <Section id="last-call" title="Last call seen" class="card">
      <p role="status">
        With this key, this console included: <Time at={own} />. With any other key of the account:{' '}
        <Time at={other} none="none yet" />.
      </p>
    </Section>
  );
}

async function usesOf(id: string, signal: AbortSignal): Promise<{ own: string | null; other: string | null }> {
  const { keys } = await api.get('/api/v1/keys', { query: { limit: 100 }, signal });
  const others = keys.flatMap((key) => (key.id === id || key.last_used_at === null ? [] : [key.last_used_at]));
  return {
    own: keys.find((key) => key.id === id)?.last_used_at ?? null,
    other: others.toSorted().at(-1) ?? null,
  };
}

/** How another program is told of this service. */
export interface Snippet {
  readonly name: string;
  /** Where the text goes. */
  readonly about: string;
  readonly text: string;
}

/** Stands where the key goes: the service cannot show a key again. */
export const KEY_VARIABLE = 'MAILSONDE_KEY';

/** @param base the address of this service */
export function snippetsFor(base: string): readonly Snippet[] {
  const verify = `${base}/api/v1/verify`;
  const mcp = `${base}/mcp`;
  const server = { type: 'http', url: mcp };
  return [
    {
      name: 'curl',
      about: `Put your key into the variable ${KEY_VARIABLE} first: export ${KEY_VARIABLE}=…`,
      text: `curl ${verify} \\\n  -H "Authorization: Bearer $${KEY_VARIABLE}" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"email": "jane@example.com"}'`,
    },
    {
      name: 'Node',
      about: 'Node 20 or newer, without a package.',
      text: `import { env } from 'node:process';

const reply = await fetch('${verify}', {
  method: 'POST',
  headers: { Authorization: \`Bearer \${env.${KEY_VARIABLE}}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ email: 'jane@example.com' }),
});
const { verdict, action, reason } = await reply.json();`,
    },
    {
      name: 'Python',
      about: 'With the package requests.',
      text: `import os
import requests

reply = requests.post(
    "${verify}",
    headers={"Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}"},
    json={"email": "jane@example.com"},
)
print(reply.json()["verdict"], reply.json()["action"])`,
    },
    {
      name: 'Go',
      about: 'With the standard library.',
      text: `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader(\`{"email": "jane@example.com"}\`)
	request, err := http.NewRequest("POST", "${verify}", body)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("${KEY_VARIABLE}"))
	request.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	fmt.Println(reply.Status, string(text), err)
}`,
    },
    {
      name: 'Claude',
      about: 'Claude Code, in a terminal.',
      text: `claude mcp add --transport http mailsonde ${mcp} --header "Authorization: Bearer $${KEY_VARIABLE}"`,
    },
    {
      name: 'Cursor',
      about: 'In the file .cursor/mcp.json of a project, or ~/.cursor/mcp.json.',
      text: JSON.stringify(
        { mcpServers: { mailsonde: { url: mcp, headers: { Authorization: `Bearer \${env:${KEY_VARIABLE}}` } } } },
        null,
        2,
      ),
    },
    {
      name: 'VS Code',
      about: 'In the file .vscode/mcp.json of a project; it asks for the key once.',
      text: JSON.stringify(
        {
          inputs: [{ type: 'promptString', id: 'mailsonde-key', description: 'Mailsonde key', password: true }],
          servers: {
            mailsonde: { ...server, headers: { Authorization: 'Bearer ${input:mailsonde-key}' } },
          },
        },
        null,
        2,
      ),
    },
  ];
}
