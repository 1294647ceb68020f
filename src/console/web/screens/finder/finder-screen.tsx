import { useSignal } from '@preact/signals';
import { ActionForm } from '../../parts/action.js';
import { TextField } from '../../parts/field.js';
import { api, take } from '../../shell/api.js';
import { type Finding, FindingCard } from './finding-card.js';
import { PeopleSection } from './people-section.js';

/** The address of a person at a company. */
export function FinderScreen() {
  const name = useSignal('');
  const domain = useSignal('');
  const finding = useSignal<Finding | null>(null);
  const find = async () => {
    finding.value = null;
    const body = { full_name: name.value.trim(), domain: domain.value.trim() };
    finding.value = await take(api.POST('/api/v1/finder/email', { body }));
  };
  return (
    <>
      <h1>Finder</h1>
      <p>A name and a company's domain in, the person's address out. It costs a credit only when one is found.</p>
      <div class="card">
        <ActionForm action="Find" onAct={find} disabled={name.value.trim() === '' || domain.value.trim() === ''}>
          <div class="row">
            <TextField label="Full name" value={name} maxLength={200} placeholder="Dr. Jürgen Müller" />
            <TextField label="Domain or website" value={domain} maxLength={300} placeholder="example.com" />
          </div>
        </ActionForm>
      </div>
      <div role="status">{finding.value !== null && <FindingCard of={finding.value} isAlone />}</div>
      <PeopleSection />
    </>
  );
}
