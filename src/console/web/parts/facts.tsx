import { Fragment, type ComponentChildren } from 'preact';

/** Names and values, one under the other; what is null is left out. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren] | null)[] }) {
  return (
    <dl class="facts">
      {of
        .filter((fact) => fact !== null)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
