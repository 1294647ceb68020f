import { Body, Inject, Ip } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import { ENV, type Env } from '../../platform/config/env.js';
import { EndpointReply, RegistrationReply, registrationReply } from './registration.reply.js';
import { RegistrationService } from './registration.service.js';
import { PublicRoute, PublicRoutes } from '../route.decorator.js';
import { ValidateBy } from 'class-validator';
import { OptionalText } from '../../platform/http/fields.js';
import { isContact, NO_CONTACT } from '../accounts/contact.js';

export class RegistrationRequest {
  @OptionalText(80, "The agent's name.")
  readonly name?: string | null;

  @OptionalText(500, 'What the agent verifies addresses for.')
  readonly purpose?: string | null;

  @OptionalText(255, 'An email address or a URL of the operator.')
  @ValidateBy({ name: 'isContact', validator: { validate: isContact, defaultMessage: () => NO_CONTACT } })
  readonly contact?: string | null;
}

@PublicRoutes('agent-gateway', { tag: 'Agents', only: 'agent' })
export class RegistrationController {
  constructor(
    private readonly registration: RegistrationService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @PublicRoute.post('register', 'register', 'Get an API key; no account and no credentials are needed', {
    optionalBody: RegistrationRequest,
    created: RegistrationReply,
    errors: ['registration_limited'],
  })
  @ApiExtraModels(EndpointReply)
  async register(@Body() details: RegistrationRequest, @Ip() clientAddress: string): Promise<RegistrationReply> {
    return registrationReply(await this.registration.register(details, clientAddress), this.env.publicUrl);
  }
}
