import { Body, Controller, HttpCode, Inject, Ip, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiExtension, ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ENV, type Env } from '../../platform/config/env.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { Public } from '../../platform/http/public.decorator.js';
import { EndpointReply, RegistrationReply, registrationReply } from './registration.reply.js';
import { RegistrationRequest } from './registration.dto.js';
import { RegistrationService } from './registration.service.js';

@ApiTags('Agents')
@ApiExtension('x-audience', 'agent')
@Controller('agent-gateway')
export class RegistrationController {
  constructor(
    private readonly registration: RegistrationService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Post('register')
  @Public()
  @HttpCode(201)
  @ApiErrors('registration_limited')
  @ApiOperation({ operationId: 'register', summary: 'Get an API key; no account and no credentials are needed' })
  @ApiBody({ type: RegistrationRequest, required: false })
  @ApiExtraModels(EndpointReply)
  @ApiCreatedResponse({ type: RegistrationReply })
  async register(@Body() details: RegistrationRequest, @Ip() clientAddress: string): Promise<RegistrationReply> {
    return registrationReply(await this.registration.register(details, clientAddress), this.env.publicUrl);
  }
}
