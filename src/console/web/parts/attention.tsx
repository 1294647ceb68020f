import type { ComponentChildren } from 'preact';
import { announce } from './announcer.js';
import { asFailure, type Failure } from './failure.js';
import { Section, useLoad, usePolling, WhenLoaded } from './listing.js';
import { StateBadge } from './values.js';

const SEVERITIES = ['critical', 'warning', 'unknown'] as const;
const RELOAD_MS = 60_000;
const NAMES = new Intl.ListFormat('en');

/** Something that a person has to deal with, and the screen where that is done. */
export interface Concern {
  readonly title: string;
  readonly href: string;
  readonly text: ComponentChildren;
  readonly severity: (typeof SEVERITIES)[number];
}

/** One kind of thing that may need a person. */
export interface Watch {
  /** In a sentence, such as `webhook endpoints`. */
  readonly name: string;
  readonly find: (signal: AbortSignal) => Promise<readonly Concern[]>;
}

interface Outcome {
  readonly name: string;
  readonly concerns: readonly Concern[];
  /** Null: it was checked. */
  readonly failure: Failure | null;
}

async function outcomeOf({ name, find }: Watch, signal: AbortSignal): Promise<Outcome> {
  try {
    return { name, concerns: await find(signal), failure: null };
  } catch (error) {
    return { name, concerns: [], failure: asFailure(error) };
  }
}

/** What needs a person now, the worst first. What could not be checked is named: of that nothing is known. */
export function Attention({ of: watches }: { readonly of: readonly Watch[] }) {
  const loaded = useLoad((signal) => Promise.all(watches.map((watch) => outcomeOf(watch, signal))));
  usePolling(loaded, RELOAD_MS);
  const again = async () => {
    await loaded.reload();
    announce('Checked again.');
  };
  return (
    <Section id="attention" title="Needs attention">
      <WhenLoaded of={loaded}>
        {(outcomes) => {
          const failed = outcomes.filter(({ failure }) => failure !== null);
          const checked = outcomes.filter(({ failure }) => failure === null);
          const concerns = checked
            .flatMap((outcome) => outcome.concerns)
            .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
          return (
            <>
              {failed.map(({ name, failure }) => (
                <p class="error" role="alert" key={name}>
                  Mailsonde could not check your {name}, so their status is unknown. {failure?.message}
                </p>
              ))}
              {failed.length > 0 && (
                <p>
                  <button type="button" disabled={loaded.isLoading.value} onClick={() => void again()}>
                    Check again
                  </button>
                </p>
              )}
              <ul class="plain">
                {concerns.map(({ title, href, text, severity }) => (
                  <li key={href + title} class={`finding ${severity === 'unknown' ? '' : severity}`}>
                    <a class="long" href={href}>
                      {title}
                    </a>{' '}
                    <StateBadge state={severity} />
                    <br />
                    {text}
                  </li>
                ))}
              </ul>
              {concerns.length === 0 && checked.length > 0 && (
                <p>No problems found in your {NAMES.format(checked.map(({ name }) => name))}.</p>
              )}
            </>
          );
        }}
      </WhenLoaded>
    </Section>
  );
}
