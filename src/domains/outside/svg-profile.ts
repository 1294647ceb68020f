import { XMLParser, XMLValidator } from 'fast-xml-parser';

/*
 * Whether a logo keeps to SVG Tiny PS (draft-svg-tiny-ps-abrotman), as far as that can be told from its text: its head, elements that the
 * profile leaves out, what it loads from elsewhere, and its size. Whether it looks like the mark nobody can tell here.
 */

/** What receivers take, uncompressed. */
const MAX_LOGO_BYTES = 32_768;
const MAX_DEPTH = 60;
/** Scripts, animations, pictures and media, in lower case. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'animate',
  'animatecolor',
  'animatemotion',
  'animatetransform',
  'animation',
  'audio',
  'discard',
  'filter',
  'foreignobject',
  'handler',
  'image',
  'listener',
  'prefetch',
  'script',
  'set',
  'video',
]);
const ATTRIBUTES = ':@';

/** An element as the parser orders it: its name is the member that is not `:@`. */
type Node = Readonly<Record<string, unknown>>;

/** Why receivers refuse the logo, in words; empty: nothing of what is looked at. */
export function svgProblems(text: string): readonly string[] {
  const bytes = Buffer.byteLength(text);
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return ['it declares a document type or entities'];
  if (XMLValidator.validate(text) !== true) return ['it is no well-formed XML'];
  let nodes: readonly Node[];
  try {
    const options = { preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '', processEntities: false };
    nodes = new XMLParser(options).parse(text) as readonly Node[];
  } catch {
    return ['it is no well-formed XML'];
  }
  const root = nodes.find((node) => 'svg' in node);
  if (root === undefined) return ['it is no SVG'];
  const head = attributesOf(root);
  const problems = new Set<string>();
  if (head['baseProfile'] !== 'tiny-ps') problems.add('its svg element does not say baseProfile="tiny-ps"');
  if (head['version'] !== '1.2') problems.add('its svg element does not say version="1.2"');
  if ('x' in head || 'y' in head) problems.add('its svg element has x or y');
  const children = root['svg'] as readonly Node[];
  if (!children.some((node) => Array.isArray(node['title']) && node['title'].length > 0))
    problems.add('it has no title');
  walk(children, problems, 1);
  if (bytes > MAX_LOGO_BYTES) problems.add(`it has ${bytes} bytes, more than ${MAX_LOGO_BYTES}`);
  return [...problems];
}

function walk(nodes: readonly Node[], problems: Set<string>, depth: number): void {
  if (depth > MAX_DEPTH) {
    problems.add('its elements are nested too deep');
    return;
  }
  for (const node of nodes) {
    for (const [name, value] of Object.entries(attributesOf(node))) {
      const isReference = /^(xlink:)?href$/i.test(name) && !value.trim().startsWith('#');
      const loads = [...value.matchAll(/url\(([^)]*)/gi)].some(([, url]) => !/^\s*['"]?\s*#/.test(url!));
      if (isReference || loads) problems.add('it loads something from elsewhere');
      if (/^on[a-z]+$/i.test(name)) problems.add('it has scripts');
    }
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES) ?? '';
    if (LEFT_OUT.has(name.toLowerCase())) problems.add(`it has the element ${name.slice(0, 40)}`);
    const inner = node[name];
    if (Array.isArray(inner)) walk(inner as readonly Node[], problems, depth + 1);
  }
}

function attributesOf(node: Node): Readonly<Record<string, string>> {
  return (node[ATTRIBUTES] ?? {}) as Readonly<Record<string, string>>;
}
