import { type Failure, FailureNote } from '../failure.js';

interface FailedScreenProps {
  /** What the screen would have shown, such as `Monitor`. */
  readonly title: string;
  readonly failure: Failure;
  readonly onRetry: () => Promise<void>;
  /** Where the others are. */
  readonly to: string;
  /** Such as `All monitors`. */
  readonly toTitle: string;
}

/** A screen of one thing that is not there, or could not be loaded: it has a heading as every screen, and two ways on. */
export function FailedScreen({ title, failure, onRetry, to, toTitle }: FailedScreenProps) {
  return (
    <>
      <h1>{title}</h1>
      <FailureNote failure={failure} />
      <div class="actions">
        <a class="button" href={to}>
          {toTitle}
        </a>
        {failure.status !== 404 && (
          <button type="button" onClick={() => void onRetry()}>
            Try again
          </button>
        )}
      </div>
    </>
  );
}
