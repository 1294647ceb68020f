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
