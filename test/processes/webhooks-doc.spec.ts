import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { newSecret } from '../../src/webhooks/endpoint-secrets.js';
import { signatureHeaders } from '../../src/webhooks/signature.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'mailsonde-examples-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The code that stands behind the mark of that name. */
function exampleOf(language: string): string {
  return page.split(`<!-- example: ${language} -->\n`)[1]!.split('\n').slice(1).join('\n').split('\n```')[0]!;
}

interface Case {
  readonly why: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isGood: boolean;
}

const [secret, other] = [newSecret(), newSecret()];
const body = '{"type":"webhook.test","data":{"name":"Jürgen"}}';
const now = Math.floor(Date.now() / 1000);

function signed(
  why: string,
  isGood: boolean,
  atSeconds: number,
  secrets: readonly string[],
  change: object = {},
): Case {
  const headers = signatureHeaders({ id: 'msg_1', atSeconds, body: Buffer.from(body) }, secrets);
  return { why, headers, body, isGood, ...change };
}

const good = signed('as we send it', true, now, [secret]);
const CASES: readonly Case[] = [
  good,
  signed('during a rotation, the old secret first', true, now, [other, secret]),
  signed('with another secret', false, now, [other]),
  signed('old', false, now - 400, [secret]),
  signed('from the future', false, now + 400, [secret]),
  { ...good, why: 'a changed byte', isGood: false, body: body.replace('ü', 'ö') },
  { ...good, why: 'a foreign id', isGood: false, headers: { ...good.headers, 'webhook-id': 'msg_2' } },
  { ...good, why: 'a changed time', isGood: false, headers: { ...good.headers, 'webhook-timestamp': String(now + 1) } },
  { ...good, why: 'another version', isGood: false, headers: versionTwo(good.headers) },
  { ...good, why: 'no headers', isGood: false, headers: {} },
];

function versionTwo(headers: Case['headers']): Case['headers'] {
  return { ...headers, 'webhook-signature': headers['webhook-signature']!.replace('v1,', 'v2,') };
}

/** Go must not fetch anything. */
const ENVIRONMENT = { PATH: process.env['PATH'], HOME: process.env['HOME'], GOTOOLCHAIN: 'local', GOPROXY: 'off' };

const isThere = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

/** Runs a program that reads the cases and prints which it took for good. */
function run(command: string, args: readonly string[]): boolean[] {
  const input = JSON.stringify({ secret, cases: CASES });
  const { stdout, stderr, status } = spawnSync(command, args, {
    cwd: folder,
    input,
    env: ENVIRONMENT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as boolean[];
}

const wanted = CASES.map(({ why, isGood }) => [why, isGood]);
const told = (verdicts: readonly boolean[]) => CASES.map(({ why }, i) => [why, verdicts[i]]);

describe('the examples of docs/webhooks.md take what is ours and refuse what is not', () => {
  it('the examples of docs/webhooks.md take what is ours and refuse what is not in TypeScript', () => {
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    const { outputText } = ts.transpileModule(exampleOf('typescript'), { compilerOptions: options });
    writeFileSync(join(folder, 'verify.mjs'), outputText);
    writeFileSync(join(folder, 'main.mjs'), TYPESCRIPT_MAIN);
    expect(told(run(process.execPath, ['main.mjs']))).toEqual(wanted);
  });

  it.skipIf(!isThere('python3', '--version'))(
    'the examples of docs/webhooks.md take what is ours and refuse what is not in Python',
    () => {
      writeFileSync(join(folder, 'main.py'), `${exampleOf('python')}\n${PYTHON_MAIN}`);
      expect(told(run('python3', ['main.py']))).toEqual(wanted);
    },
  );

  it.skipIf(!isThere('go', 'version'))(
    'the examples of docs/webhooks.md take what is ours and refuse what is not in Go',
    () => {
      writeFileSync(join(folder, 'go.mod'), 'module example\n\ngo 1.20\n');
      writeFileSync(join(folder, 'verify.go'), exampleOf('go'));
      writeFileSync(join(folder, 'main.go'), GO_MAIN);
      expect(told(run('go', ['run', '.']))).toEqual(wanted);
    },
  );
});

const TYPESCRIPT_MAIN = `
import { readFileSync } from 'node:fs';
import { verifyWebhook } from './verify.mjs';
const { secret, cases } = JSON.parse(readFileSync(0, 'utf8'));
const isGood = ({ headers, body }) => {
  try {
    return verifyWebhook(headers, body, secret).type === 'webhook.test';
  } catch {
    return false;
  }
};
console.log(JSON.stringify(cases.map(isGood)));
`;

const PYTHON_MAIN = `
import sys
given = json.load(sys.stdin)
def is_good(case):
    try:
        return verify_webhook(case["headers"], case["body"].encode(), given["secret"])["type"] == "webhook.test"
    except ValueError:
        return False
print(json.dumps([is_good(case) for case in given["cases"]]))
`;

const GO_MAIN = `
package main

import (
	"encoding/json"
	"os"
)

func main() {
	var given struct {
		Secret string
		Cases  []struct {
			Headers map[string]string
			Body    string
		}
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	good := []bool{}
	for _, one := range given.Cases {
		header := func(name string) string { return one.Headers[name] }
		good = append(good, VerifyWebhook(header, []byte(one.Body), given.Secret) == nil)
	}
	json.NewEncoder(os.Stdout).Encode(good)
}
`;
