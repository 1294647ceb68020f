import { render } from 'preact';
import { CopyButton } from '../parts/copy-button.js';
import { TryBox } from './try-box.js';

const place = document.getElementById('try');
if (place !== null) {
  place.replaceChildren();
  render(<TryBox />, place);
}
for (const code of document.querySelectorAll('[data-copy]')) {
  const pre = code.querySelector('pre');
  const holder = code.appendChild(document.createElement('span'));
  render(<CopyButton text={pre?.textContent ?? ''} of={pre?.getAttribute('aria-label') ?? 'the text'} />, holder);
}
