import { Fragment, type ComponentChildren } from 'preact';

interface FactsProps {
  readonly of: Readonly<Record<string, ComponentChildren>>;
  /** Those of which several may have one name. */
  readonly more?: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** Names and values, one under the other; what is null is left out. */
export function Facts({ of: facts, more = [] }: FactsProps) {
  return (
    <dl class="facts">
      {[...Object.entries(facts), ...more]
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
