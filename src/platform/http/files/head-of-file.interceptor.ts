import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { withoutRows } from './table-file.js';

/** HEAD of a file has its headers and makes none of its rows: the framework would read the whole file to throw it away. */
@Injectable()
export class HeadOfFileInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { method } = context.switchToHttp().getRequest<FastifyRequest>();
    return method === 'HEAD'
      ? next.handle().pipe(map((result) => (result instanceof StreamableFile ? withoutRows(result) : result)))
      : next.handle();
  }
}
