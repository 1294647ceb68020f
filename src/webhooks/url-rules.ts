import { createAddressGuard } from '../platform/address-guard.js';
import type { Env } from '../platform/config/env.js';
import type { UrlRules } from './endpoint-url.js';

export function urlRulesOf(env: Env): UrlRules {
  return {
    allowInsecure: env.webhookAllowInsecure,
    ports: env.webhookPorts,
    mayConnect: createAddressGuard(env.webhookAllowPrivate),
    allowPrivate: env.webhookAllowPrivate.length > 0,
  };
}
