import { ClaimScreen } from './claim-screen.js';
import { ConnectScreen } from './connect-screen.js';
import { CreditsScreen } from './credits-screen.js';
import { DeliveryScreen } from './deliveries.js';
import { EndpointScreen } from './endpoint-screen.js';
import { KeysScreen } from './keys-screen.js';
import { PrivacyScreen } from './privacy-screen.js';
import { SuppressionsScreen } from './suppressions-screen.js';
import { WebhooksScreen } from './webhooks-screen.js';

export const SCREENS = {
  '/keys': KeysScreen,
  '/credits': CreditsScreen,
  '/webhooks': WebhooksScreen,
  '/webhooks/:id': EndpointScreen,
  '/deliveries/:id': DeliveryScreen,
  '/claim': ClaimScreen,
  '/suppressions': SuppressionsScreen,
  '/privacy': PrivacyScreen,
  '/connect': ConnectScreen,
};
