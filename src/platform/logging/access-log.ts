import { Logger } from '@nestjs/common';

/** What is told of a request: nothing that says whose address was asked about, or from where. */
export interface Access {
  readonly method: string;
  /** The route's pattern, such as `/api/v1/verify/batch/:id`; null where no route matched. */
  readonly route: string | null;
  readonly status: number;
  /** Whole milliseconds. */
  readonly ms: number;
  readonly request_id: string;
  readonly key_id: string | null;
  /** The caller went away before the reply was complete. */
  readonly aborted: boolean;
}

const ASKED_BY_MACHINES = new Set(['/healthz', '/readyz']);

/** One line a request. */
export class AccessLog {
  private readonly logger = new Logger('Access');

  write(access: Access): void {
    const text = `${access.method} ${access.route ?? '(no route)'} ${access.status}`;
    if (access.route !== null && ASKED_BY_MACHINES.has(access.route)) this.logger.debug(text, access);
    else this.logger.log(text, access);
  }
}
