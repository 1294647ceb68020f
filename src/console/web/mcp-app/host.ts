/**
 * What a card and the client around it say to each other (MCP Apps, 2026-01-26): JSON-RPC by `postMessage`. A card asks for nothing
 * but to be shown: it calls no tool, opens no link and loads nothing.
 */
const PROTOCOL_VERSION = '2026-01-26';
const INITIALIZE_ID = 1;
const METHOD_NOT_FOUND = -32_601;

export type Members = Readonly<Record<string, unknown>>;

export interface Watcher {
  /** The arguments of the call, before its result. */
  readonly onInput: (given: Members) => void;
  /** The result, as the tool has given it. */
  readonly onResult: (result: Members) => void;
  readonly onCancelled: () => void;
}

/** Whoever frames the card is its host; messages of any other window are not read. */
export function followHost({ onInput, onResult, onCancelled }: Watcher): void {
  const host = window.parent;
  const send = (message: Members) => host.postMessage({ jsonrpc: '2.0', ...message }, '*');

  const told: Readonly<Record<string, (params: Members) => void>> = {
    'ui/notifications/tool-input': ({ arguments: given }) => onInput(membersOf(given)),
    'ui/notifications/tool-result': ({ structuredContent }) => onResult(membersOf(structuredContent)),
    'ui/notifications/tool-cancelled': onCancelled,
    'ui/notifications/host-context-changed': dress,
  };

  window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== host) return;
    const { id, method, params, result } = membersOf(data);
    if (typeof method === 'string' && id !== undefined) return answer(id, method);
    if (typeof method === 'string') return void (Object.hasOwn(told, method) && told[method]!(membersOf(params)));
    if (id !== INITIALIZE_ID || result === undefined) return;
    dress(membersOf(membersOf(result)['hostContext']));
    send({ method: 'ui/notifications/initialized', params: {} });
    new ResizeObserver(tellSize).observe(document.body);
  });

  function answer(id: unknown, method: string): void {
    if (method === 'ping' || method === 'ui/resource-teardown') return send({ id, result: {} });
    send({ id, error: { code: METHOD_NOT_FOUND, message: 'A card does not do this.' } });
  }

  function tellSize(): void {
    const { width, height } = document.body.getBoundingClientRect();
    send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } });
  }

  const appInfo = { name: 'mailsonde-card', version: '1' };
  send({
    id: INITIALIZE_ID,
    method: 'ui/initialize',
    params: { appInfo, appCapabilities: {}, protocolVersion: PROTOCOL_VERSION },
  });
}

/** In the colours of the host. */
function dress({ theme }: Members): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
}

export function membersOf(value: unknown): Members {
  return value !== null && typeof value === 'object' ? (value as Members) : {};
}
