interface Refusal {
  readonly error?: string;
  readonly code?: string;
  readonly request_id?: string;
  readonly retry_after?: number;
  readonly fields?: readonly { readonly field: string; readonly error: string }[];
}

/** A refusal of the service, or that it could not be reached. */
export class Failure extends Error {
  readonly code: string | null;
  readonly requestId: string | null;
  readonly fields: NonNullable<Refusal['fields']>;

  constructor(
    readonly status: number,
    readonly body: Refusal,
  ) {
    super(body.error ?? 'The request failed.');
    this.code = body.code ?? null;
    this.requestId = body.request_id ?? null;
    this.fields = body.fields ?? [];
  }
}

/** Whatever was thrown; a fault of the page itself is no refusal, and says so. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure(0, { error: `This page failed: ${error instanceof Error ? error.message : String(error)}` });
}

/** In the service's own sentence, with what to tell whoever runs it. */
export function FailureNote({ failure }: { readonly failure: Failure | null }) {
  if (failure === null) return null;
  return (
    <div class="error" role="alert">
      <p>{failure.message}</p>
      {failure.fields.length > 0 && (
        <ul>
          {failure.fields.map(({ field, error }) => (
            <li key={field + error}>{error}</li>
          ))}
        </ul>
      )}
      {failure.requestId !== null && (
        <p class="hint">
          Request <code>{failure.requestId}</code>
          {failure.code !== null && (
            <>
              , code <code>{failure.code}</code>
            </>
          )}
        </p>
      )}
    </div>
  );
}
