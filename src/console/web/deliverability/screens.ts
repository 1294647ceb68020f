import { BlacklistsScreen, ListCheckScreen } from './blacklists-screen.js';
import { CompareScreen } from './compare-screen.js';
import { DomainCheckScreen, DomainsScreen } from './domains-screen.js';
import { MonitorScreen } from './monitor-screen.js';
import { MonitorsScreen } from './monitors-screen.js';
import { PlacementScreen } from './placement-screen.js';
import { PlacementTestScreen } from './placement-test-screen.js';
import { ReportsScreen } from './reports-screen.js';
import { TlsReportsScreen } from './tls-reports-screen.js';

export const SCREENS = {
  '/domains': DomainsScreen,
  '/domains/:id': DomainCheckScreen,
  '/blacklists': BlacklistsScreen,
  '/blacklists/:id': ListCheckScreen,
  '/monitors': MonitorsScreen,
  '/monitors/:id': MonitorScreen,
  '/monitors/:id/reports': ReportsScreen,
  '/monitors/:id/tls-reports': TlsReportsScreen,
  '/placement': PlacementScreen,
  '/placement/:id': PlacementTestScreen,
  '/placement/:id/compare': CompareScreen,
};
