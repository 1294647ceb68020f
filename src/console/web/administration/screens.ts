import { AccountScreen } from './account-screen.js';
import { AccountsScreen } from './accounts-screen.js';
import { AdministratorHome } from './administrator-home.js';
import { AgentsScreen } from './agents-screen.js';
import { AllMonitorsScreen } from './all-monitors-screen.js';
import { AuditScreen } from './audit-screen.js';
import { EgressScreen } from './egress-screen.js';
import { HealthScreen } from './health-screen.js';
import { OperatorsScreen } from './operators-screen.js';
import { SearchScreen } from './search-screen.js';
import { SeedsScreen } from './seeds-screen.js';
import { WatchedListsScreen } from './watched-lists-screen.js';
import { AllBatchesScreen, AllDeliveriesScreen } from './work-screens.js';

export const SCREENS = {
  '/home': AdministratorHome,
  '/search': SearchScreen,
  '/accounts': AccountsScreen,
  '/accounts/:id': AccountScreen,
  '/agents': AgentsScreen,
  '/all-batches': AllBatchesScreen,
  '/all-deliveries': AllDeliveriesScreen,
  '/all-monitors': AllMonitorsScreen,
  '/watched-lists': WatchedListsScreen,
  '/seeds': SeedsScreen,
  '/operators': OperatorsScreen,
  '/egress': EgressScreen,
  '/health': HealthScreen,
  '/audit': AuditScreen,
};
