import { Logger } from '@nestjs/common';

/** The logged members of a request, none of which reveals a verified address or the caller's network. */
export interface Access {
  readonly method: string;
  /** The route's pattern, such as `/api/v1/verify/batch/:id`; null where no route matched. */
  readonly route: string | null;
  readonly status: number;
  /** Whole milliseconds. */
  readonly ms: number;
  readonly request_id: string;
  readonly trace_id: string;
  readonly key_id: string | null;
  /** The caller left before the reply was complete. */
  readonly aborted: boolean;
}

/** The room that the log names in its lines. */
export const ACCESS = 'Access';

const ASKED_BY_MACHINES = new Set(['/healthz', '/readyz']);

/** Writes one line a request. */
export class AccessLog {
  private readonly logger = new Logger(ACCESS);

  write(access: Access): void {
    const text = `${access.method} ${access.route ?? '(no route)'} ${access.status}`;
    if (access.route !== null && ASKED_BY_MACHINES.has(access.route)) this.logger.debug(text, access);
    else this.logger.log(text, access);
  }
}
