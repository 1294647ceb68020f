import { render } from 'preact';
import { App } from './app.js';
import { loadSession } from './session.js';

const place = document.getElementById('console');
if (place !== null) {
  await loadSession();
  render(<App />, place);
}
