import { Global, Module } from '@nestjs/common';
import { ENV, type Env } from './env.js';
import { Secrets } from './secrets.js';

@Global()
@Module({
  providers: [{ provide: Secrets, inject: [ENV], useFactory: (env: Env) => new Secrets(env.secretsKey) }],
  exports: [Secrets],
})
export class SecretsModule {}
