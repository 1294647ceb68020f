import type { IncomingHttpHeaders } from 'node:http';
import { escaped, textPage } from '../pages/built-pages.js';

/** Where programs ask, which read the body of all errors. */
const FOR_PROGRAMS = /^\/(api|admin|agent-gateway|mcp|\.well-known)(\/|$|\?)|\.(json|txt|md|xml)($|\?)/;
const MAX_SHOWN = 200;

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** Whether a person looks for a page that is not there: a browser asks for one by its address line or a link. */
export function wantsPage({ method, url, headers }: Asked): boolean {
  const isNavigation = method === 'GET' && /^text\/html\b/.test(headers.accept ?? '');
  return isNavigation && headers.authorization === undefined && !FOR_PROGRAMS.test(url);
}

export function notFoundPage(url: string, requestId: string): string {
  const shown = url.length > MAX_SHOWN ? `${url.slice(0, MAX_SHOWN)}…` : url;
  return textPage({
    title: 'There is no such page',
    html: `<h1>There is no such page</h1>
<p><code>${escaped(shown)}</code> leads nowhere. These do:</p>
<ul>
<li><a href="/">What this is</a>, with an address to try</li>
<li><a href="/console">The console</a></li>
<li><a href="/docs/guides">The guides</a> and <a href="/docs">the API reference</a></li>
<li><a href="/llms.txt">llms.txt</a>, for models</li>
</ul>
<p>Request <code>${escaped(requestId)}</code></p>`,
  });
}
