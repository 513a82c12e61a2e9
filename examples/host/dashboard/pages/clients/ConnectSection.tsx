/** Code that connects a client, with the address and the project filled in. */
import { useState } from 'preact/hooks';
import { currentProject } from '../../data/index.js';
import { Code, Link, Section, Tabs, TextField } from '../../ui/index.js';
import { CODES, type CodeName, INSTALL, nameFault } from './codes.js';

const TABS = [
  { id: 'typescript', text: 'Node, Bun, Deno' },
  { id: 'browser', text: 'Browser' },
  { id: 'protocol', text: 'Any language' },
] as const;

const NOTES: Readonly<Record<CodeName, string>> = {
  typescript:
    'An event is acknowledged once the handler is done; where it throws, the same event comes again.',
  browser:
    'Anyone who can open the page can read its key: put it behind your own sign-in, and give it a key of its own.',
  protocol:
    'A WebSocket with a JSON text in each frame. Acknowledge positions; what you have not acknowledged comes again.',
};

export function ConnectSection() {
  const [language, setLanguage] = useState<CodeName>('typescript');
  const [name, setName] = useState('billing');
  const fault = nameFault(name);
  const code = CODES[language]({
    origin: location.origin,
    project: currentProject(),
    name: fault === null ? name : 'billing',
  });
  return (
    <Section title="Connect a client">
      <ol class="hg-clients__steps">
        <li>
          Create a key with the scope <code>receive</code> on the page of the{' '}
          <Link href="/dashboard/project">project</Link>, and put it into the environment as{' '}
          <code>HEADGATE_KEY</code>.
        </li>
        <li class="hg-clients__name-field">
          <TextField
            label="Name the client"
            code
            maxLength={100}
            value={name}
            onInput={setName}
            error={fault}
            hint="The service keeps a cursor in the log for each name. One name is one process."
          />
        </li>
        <li>
          <Tabs label="Ways to connect" tabs={TABS} selected={language} onSelect={setLanguage}>
            <div class="hg-clients__code">
              {language !== 'protocol' && (
                <Code label="the command that installs the package" text={INSTALL} />
              )}
              <Code label="the code of a client" text={code} />
              <p class="hg-soft hg-small">{NOTES[language]}</p>
            </div>
          </Tabs>
        </li>
      </ol>
    </Section>
  );
}
