import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Code } from '../../parts/code.js';
import { useLoad } from '../../parts/load.js';
import { Time } from '../../parts/time.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { may, session } from '../../shell/session.js';
import { KEY_VARIABLE, snippetsFor } from './snippets.js';

const LOOK_AGAIN_MS = 5_000;

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
        <code>{KEY_VARIABLE}</code> stands goes the key that you kept, or <a href={linkTo('/keys')}>a new one</a>.
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
  const { data, reload } = useLoad((signal) => usesOf(id, signal), [id]);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && void reload(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  if (data.value === null) return null;
  const { own, other } = data.value;
  return (
    <section class="card" aria-labelledby="last-call">
      <h2 id="last-call">Last call seen</h2>
      <p role="status">
        With this key, this console included: <Time at={own} />. With any other key of the account:{' '}
        <Time at={other} none="none yet" />.
      </p>
    </section>
  );
}

async function usesOf(id: string, signal: AbortSignal): Promise<{ own: string | null; other: string | null }> {
  const { keys } = await take(api.GET('/api/v1/keys', { params: { query: { limit: 100 } }, signal }));
  const others = keys.flatMap((key) => (key.id === id || key.last_used_at === null ? [] : [key.last_used_at]));
  return {
    own: keys.find((key) => key.id === id)?.last_used_at ?? null,
    other: others.toSorted().at(-1) ?? null,
  };
}
