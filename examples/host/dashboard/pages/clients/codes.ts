/** The code of SDK clients, for the ways in which they connect. Pure. */

export interface CodeInput {
  /** The URL of the service, such as `https://hooks.example.com`. */
  readonly origin: string;
  readonly project: string;
  readonly name: string;
}

export type CodeName = 'typescript' | 'browser' | 'protocol';

export const INSTALL = 'npm install headgate';

const client = ({ origin, project, name }: CodeInput, key: string): string => `const client = createClient({
  url: '${origin}',
  project: '${project}',
  key: ${key}, // with the scope receive
  name: '${name}',
});`;

const typescript = (input: CodeInput): string => `import { createClient } from 'headgate/client';

${client(input, "process.env.HEADGATE_KEY ?? ''")}

client.on('event', async ({ event, origin }) => {
  console.log(event.id, event.type, origin, event.data);
  await client.reply(event.id, { done: true });
});
client.on('error', (error) => console.error(error.code, error.message));
process.once('SIGTERM', () => void client.close());`;

const browser = (input: CodeInput): string => `import { createClient } from 'headgate/client';

${client(input, 'keyOfWhoIsSignedIn')}

client.on('event', ({ event }) => show(event));
client.on('state', ({ state }) => showState(state));
addEventListener('pagehide', () => void client.close());`;

const protocol = ({ origin, project, name }: CodeInput): string => `# a client by hand, such as with websocat
websocat --protocol headgate.v1 ${origin.replace(/^http/, 'ws')}/projects/${project}/stream

# send first
{"type":"hello","key":"hg_…","client":"${name}"}
# comes: where you are, then events
{"type":"welcome","client":"${name}","position":16,…}
{"type":"event","position":17,"origin":"live","event":{…}}
# send: all up to this position is done, and a reply
{"type":"ack","position":17}
{"type":"reply","id":"1","event_id":"evt_…","payload":{"done":true}}`;

export const CODES: Readonly<Record<CodeName, (input: CodeInput) => string>> = {
  typescript,
  browser,
  protocol,
};

/** A sentence about an invalid name of a client; null for a valid one. */
export const nameFault = (name: string): string | null =>
  /^[A-Za-z0-9._-]{1,100}$/.test(name)
    ? null
    : 'Write 1 to 100 letters, digits, dots, dashes or underscores.';
