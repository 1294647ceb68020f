import { type ExecutionContext, Injectable, StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AroundInterceptor, type Rest } from '../around/around.interceptor.js';
import { withoutRows } from './table-file.js';

/** HEAD of a file has its headers and makes none of its rows: the framework would read the whole file to throw it away. */
@Injectable()
export class HeadOfFileInterceptor extends AroundInterceptor {
  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { method } = context.getArgByIndex<FastifyRequest>(0);
    return method === 'HEAD' ? this.head(rest) : rest();
  }

  private async head(rest: Rest): Promise<unknown> {
    const result = await rest();
    return result instanceof StreamableFile ? withoutRows(result) : result;
  }
}
