import { CheckScreen } from './check-screen.js';
import { BatchListScreen, BatchScreen } from './batch-screen.js';
import { FinderScreen } from './finder-screen.js';
import { PeopleSearchScreen } from './people-search-screen.js';
import { SchedulesScreen } from './schedules-screen.js';
import { UploadScreen } from './upload-screen.js';

export const SCREENS = {
  '/check': CheckScreen,
  '/upload': UploadScreen,
  '/batches': BatchListScreen,
  '/batches/:id': BatchScreen,
  '/schedules': SchedulesScreen,
  '/finder': FinderScreen,
  '/searches/:id': PeopleSearchScreen,
};
