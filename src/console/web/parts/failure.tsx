import { MailsondeError } from '../../../client/mailsonde-error.js';

/** A refusal of the service, that it could not be reached, or a fault of this page. */
export type Failure = MailsondeError;

interface WrongField {
  readonly field: string;
  readonly error: string;
}

/** What the service says of single fields of a body. */
export function wrongFieldsOf(failure: Failure): readonly WrongField[] {
  return (failure.details['fields'] as readonly WrongField[] | undefined) ?? [];
}

/** A fault of the page itself is no refusal, and says so. */
export function pageFault(message: string): Failure {
  return new MailsondeError({ code: 'page_fault', message });
}

/** Whatever was thrown. */
export function asFailure(error: unknown): Failure {
  if (error instanceof MailsondeError) return error;
  return pageFault(`This page failed: ${error instanceof Error ? error.message : String(error)}`);
}

/** In the service's own sentence, with what to tell whoever runs it. */
export function FailureNote({ failure }: { readonly failure: Failure | null }) {
  if (failure === null) return null;
  const wrong = wrongFieldsOf(failure);
  return (
    <div class="error" role="alert">
      <p>{failure.message}</p>
      {wrong.length > 0 && (
        <ul>
          {wrong.map(({ field, error }) => (
            <li key={field + error}>{error}</li>
          ))}
        </ul>
      )}
      {failure.requestId !== null && (
        <p class="hint">
          Request <code>{failure.requestId}</code>, code <code>{failure.code}</code>
        </p>
      )}
    </div>
  );
}

interface FailedScreenProps {
  /** What the screen would have shown, such as `Monitor`. */
  readonly title: string;
  readonly failure: Failure;
  readonly onRetry?: () => Promise<void>;
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
        {onRetry !== undefined && failure.status !== 404 && (
          <button type="button" onClick={() => void onRetry()}>
            Try again
          </button>
        )}
      </div>
    </>
  );
}
