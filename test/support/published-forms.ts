import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsTo from 'ajv-formats';

/*
 * The forms of the documents that strangers look for, as their publishers state them, for the members that we send: what each must
 * have, what it is called, its bounds. They are closed, so that a member that a publisher does not know is a fault here.
 */

const text = (maxLength?: number) => ({ type: 'string', minLength: 1, ...(maxLength && { maxLength }) });
const url = { type: 'string', format: 'uri', pattern: '^https?://' };
const list = (items: object) => ({ type: 'array', items, minItems: 1 });
const flag = { type: 'boolean' };

/** All members must be there but those whose name ends in `?`. */
function form(members: Readonly<Record<string, object>>): object {
  const named = Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(named),
    required: Object.keys(members).filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}

/** Of the MCP registry and of server cards alike: a header that a client sends, and who the server is. */
const header = form({
  name: text(),
  'description?': text(),
  'placeholder?': text(),
  'isRequired?': flag,
  'isSecret?': flag,
});
const server = {
  name: { ...text(200), minLength: 3, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
  title: text(100),
  description: text(100),
  // A range of versions is none.
  version: { ...text(255), pattern: '^\\d+\\.\\d+\\.\\d+$' },
  websiteUrl: url,
};
const remote = { type: { enum: ['streamable-http', 'sse'] }, url, 'headers?': list(header) };

const link = form({ href: url, 'type?': text() });
const skill = form({ id: text(), name: text(), description: text(), tags: list(text()) });

const FORMS = {
  /** modelcontextprotocol/experimental-ext-server-card, `schema.json` of 2026-07-24 (SEP-2127, final). */
  'server card': form({
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json' },
    ...server,
    remotes: list(form({ ...remote, 'supportedProtocolVersions?': list(text()) })),
  }),
  /** modelcontextprotocol/registry, `server.schema.json` of 2025-12-11. */
  'registry entry': form({
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    ...server,
    remotes: list(form(remote)),
  }),
  /** Agent-Card/ai-catalog, `specification/ai-catalog.md` of November 2026, sections «Top-Level Structure» to «Catalog Entry». */
  'AI catalog': form({
    specVersion: { type: 'string', pattern: '^\\d+\\.\\d+$' },
    'host?': form({ displayName: text(), 'documentationUrl?': url }),
    entries: list(form({ identifier: { ...text(), format: 'uri' }, type: text(), url, 'displayName?': text() })),
  }),
  /** a2aproject/A2A 1.0, message `AgentCard` of `specification/a2a.proto`, written as section 5.5 of the specification has it. */
  'A2A card': form({
    name: text(),
    description: text(),
    supportedInterfaces: list(form({ url, protocolBinding: text(), protocolVersion: text() })),
    'provider?': form({ url, organization: text() }),
    version: text(),
    'documentationUrl?': url,
    capabilities: form({ 'streaming?': flag, 'pushNotifications?': flag, 'extendedAgentCard?': flag }),
    'securitySchemes?': {
      type: 'object',
      additionalProperties: form({ httpAuthSecurityScheme: form({ scheme: text(), 'description?': text() }) }),
    },
    'securityRequirements?': list(
      form({ schemes: { type: 'object', additionalProperties: form({ list: { type: 'array', items: text() } }) } }),
    ),
    defaultInputModes: list(text()),
    defaultOutputModes: list(text()),
    skills: list(skill),
  }),
  /** cloudflare/agent-skills-discovery-rfc 0.2.0 of 2026-03-24, «Index Format». */
  'skill index': form({
    $schema: { const: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json' },
    skills: list(
      form({
        name: { ...text(64), pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
        type: { enum: ['skill-md', 'archive'] },
        description: text(1024),
        url: { ...text(), format: 'uri-reference' },
        digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
      }),
    ),
  }),
  /** RFC 9264 section 4.2, with what RFC 9727 appendix A has a catalog of interfaces say of each. */
  linkset: form({
    linkset: list(form({ anchor: url, 'service-desc': list(link), 'service-doc': list(link), 'status?': list(link) })),
  }),
} as const;

export type FormName = keyof typeof FORMS;

/** What of the document is not as its form wants it. */
export function formFaults(name: FormName, document: unknown): readonly string[] {
  const ajv = new Ajv2020({ allErrors: true });
  addFormatsTo.default(ajv);
  const validate = ajv.compile(FORMS[name]);
  if (validate(document)) return [];
  return validate.errors!.map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
  );
}
