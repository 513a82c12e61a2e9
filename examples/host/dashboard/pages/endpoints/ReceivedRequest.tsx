/** A request that a receiver has kept: verified or why not, its headers and its body. All of it is shown as text. */
import { useMemo, useState } from 'preact/hooks';
import type { Output } from '../../data/index.js';
import { HeaderList } from '../../parts/HeaderList.js';
import { Badge, Code, Facts, Icon, JsonTree, Link, Notice, Time } from '../../ui/index.js';
import { exactDigits } from '../../words/exact-digits.js';
import { bytes } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';
import { verdictText } from './verdicts.js';

type Request = Output<'listReceivedRequests'>['items'][number];

/** Tests are not stored, so there is no page of their events. */
const TEST = 'endpoint.test';
const VERIFIED = { text: 'Verified', tone: 'good' } as const;
const REFUSED = { text: 'Not verified', tone: 'bad' } as const;

export interface ReceivedRequestProps {
  readonly request: Request;
  /** At first. */
  readonly isOpen: boolean;
}

export function ReceivedRequest({ request, isOpen: isOpenAtFirst }: ReceivedRequestProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { verdict, body_bytes: size, status_code: status, received_at: at } = request;
  return (
    <>
      <button type="button" class="hg-received__head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'down' : 'right'} size={12} />
        <Badge status={verdict.ok ? VERIFIED : REFUSED} bare />
        <bdi class="hg-received__type hg-cut">{visible(typeOf(request) ?? 'No event')}</bdi>
        <span class="hg-received__more hg-soft">
          answered {status}, {bytes(size)}
        </span>
        <span class="hg-soft hg-small">
          <Time at={at} />
        </span>
      </button>
      {isOpen && <Whole request={request} />}
    </>
  );
}

function Whole({ request }: { readonly request: Request }) {
  const { verdict, headers, event_id: event, body_cut: isCut, body } = request;
  const value = isCut ? undefined : parsed(body);
  const digits = useMemo(() => (value === undefined ? undefined : exactDigits(body)), [body]);
  return (
    <div class="hg-received__whole">
      {verdict.code !== null && (
        <Notice tone="bad">
          {verdictText(verdict.code)} <span class="hg-soft">({verdict.message})</span>
        </Notice>
      )}
      <Facts
        facts={[
          ['Signed', verdict.signed_at !== null && <Time at={verdict.signed_at} />],
          ['Secrets that fit', verdict.ok && verdict.secret_ids.length],
          [
            'Channel',
            verdict.channel_id !== null && (
              <Link href={`/dashboard/channels/${verdict.channel_id}`}>Show the channel that signed it</Link>
            ),
          ],
          [
            'Event',
            event !== null && typeOf(request) !== TEST && (
              <Link href={`/dashboard/events/${event}`}>{event}</Link>
            ),
          ],
        ]}
      />
      <h3>Headers</h3>
      <HeaderList label="Headers" headers={headers.map(([name, value]) => ({ name, value }))} />
      <h3>Body</h3>
      {value === undefined ? (
        <Code label="body" text={body} wrap />
      ) : (
        <JsonTree label="Body" value={value} digits={digits} />
      )}
      {isCut && <p class="hg-soft">Only the first 64 kB of the body are kept.</p>}
    </div>
  );
}

/** The type of the event: of the body, which is signed, or of the header. */
function typeOf({ headers, body, body_cut: isCut }: Request): string | null {
  const value = isCut ? undefined : parsed(body);
  const { type } = Object(value) as { readonly type?: unknown };
  if (typeof type === 'string') return type;
  return headers.find(([name]) => /-event-type$/i.test(name))?.[1] ?? null;
}

/** Undefined if the text is not JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
