import { render } from 'preact';
import { CopyButton } from './parts/code.js';

for (const code of document.querySelectorAll('.code')) {
  const holder = code.appendChild(document.createElement('span'));
  render(<CopyButton text={code.querySelector('pre')?.textContent ?? ''} of="the code" />, holder);
}

// On a narrow screen the list of guides would stand before every text.
const guides = document.querySelector('.guides details');
if (guides !== null && matchMedia('(max-width: 60rem)').matches) guides.removeAttribute('open');
