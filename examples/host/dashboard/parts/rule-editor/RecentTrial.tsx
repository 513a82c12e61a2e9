/** The last real events under the rule as it stands, while it is written. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Action, type Match, stringifyJson } from 'headgate/slim';
import { api, type Output } from '../../data/index.js';
import { Badge, Diff, Link, Notice, Tag, Time } from '../../ui/index.js';
import { operatorText } from '../../words/operators.js';
import { visible } from '../../words/visible.js';
import type { NamedEndpoint } from '../endpoints.js';
import './RecentTrial.css';
import { useTrial } from './use-trial.js';

export interface RecentTrialProps {
  readonly project: string;
  /** Null while it is not valid. */
  readonly match: Match | null;
  /** Null while it is not valid; then only the match is tried. */
  readonly action: Action | null;
  readonly endpoints: readonly NamedEndpoint[];
  /** Events to try it on; without them the newest. */
  readonly eventIds?: readonly string[] | undefined;
}

type Item = Output<'tryRule'>['items'][number];

const NEWEST = 5;

export function RecentTrial({ project, match, action, endpoints, eventIds }: RecentTrialProps) {
  const which = eventIds === undefined ? { limit: NEWEST } : { event_ids: [...eventIds] };
  const body = { match: match ?? undefined, action: action ?? undefined, ...which };
  const key = useMemo(
    () => (match === null ? null : stringifyJson(body)),
    [match, action, eventIds?.join(' ')],
  );
  const trial = useTrial(key, (signal) => api.tryRule({ project, body, signal }));
  const { value, error } = trial;
  if (match === null) {
    return <p class="hg-soft hg-small">Once the conditions are valid, you see here what they match.</p>;
  }
  if (error !== null) return <Notice tone="warn">{error}</Notice>;
  if (trial.isRefused && !trial.isBusy) {
    return <p class="hg-soft hg-small">Once the rule is valid, you see here what it matches.</p>;
  }
  if (value === null) return <p class="hg-soft hg-small">Trying…</p>;
  if (value.items.length === 0) {
    return <p class="hg-soft hg-small">There is no event yet. Send one, and it is tried here.</p>;
  }
  const matched = value.items.filter(({ explanation }) => explanation.matched).length;
  return (
    <div class="hg-stack" aria-busy={trial.isBusy}>
      <p class="hg-small">
        {eventIds === undefined
          ? `Matches ${matched} of the newest ${value.items.length}.`
          : matched === value.items.length
            ? 'It matches.'
            : 'It does not match.'}
      </p>
      <ul class="hg-recent">
        {value.items.map((item) => (
          <li key={item.event.id}>
            <div class="hg-recent__head">
              <Badge bare status={item.explanation.matched ? MATCHED : NOT_MATCHED} />
              <Link
                plain
                href={`/dashboard/events/${item.event.id}`}
                label={`${item.event.topic}, ${item.event.id}`}
              >
                {visible(item.event.topic)}
              </Link>
              <span class="hg-soft hg-small">
                <Time at={item.event.received_at} />
              </span>
            </div>
            <Outcome item={item} endpoints={endpoints} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const MATCHED = { text: 'Matches', tone: 'good' } as const;
const NOT_MATCHED = { text: 'No match', tone: 'quiet' } as const;

function Outcome({
  item: { explanation, effect },
  endpoints,
}: {
  readonly item: Item;
  readonly endpoints: readonly NamedEndpoint[];
}): ComponentChildren {
  if (effect === null) return explanation.matched ? null : <WhyNot nodes={explanation.nodes} />;
  switch (effect.type) {
    case 'drop':
      return <p class="hg-small hg-soft">It would be dropped.</p>;
    case 'transform':
      return (effect.diff ?? []).length === 0 ? (
        <p class="hg-small hg-soft">No operation changes anything in it.</p>
      ) : (
        <Diff label="Changes" changes={effect.diff ?? []} />
      );
    case 'route_only': {
      const names = (effect.endpoint_ids ?? []).map(
        (id) => endpoints.find((one) => one.id === id)?.name ?? id,
      );
      return (
        <p class="hg-small hg-soft">
          {names.length === 0 ? 'It would reach no endpoint.' : `It would go to ${names.join(', ')}.`}
        </p>
      );
    }
    case 'tag':
      return (
        <div class="hg-row">
          {(effect.tags ?? []).map((tag) => (
            <Tag key={tag} text={tag} />
          ))}
          {(effect.tags ?? []).length === 0 && <span class="hg-small hg-soft">It has the tags already.</span>}
        </div>
      );
  }
}

/** The condition with which it was decided, and what the event has there. */
function WhyNot({ nodes }: { readonly nodes: Item['explanation']['nodes'] }) {
  const leaf = nodes.find(({ is_deciding }) => is_deciding)?.leaf ?? null;
  if (leaf === null) return null;
  const { path, op, value, found } = leaf;
  return (
    <p class="hg-small hg-soft hg-recent__why">
      <code>{path}</code>{' '}
      {found.kind === 'missing' ? (
        'is not there.'
      ) : (
        <>
          is <Shown value={found} />; the rule asks whether it {operatorText(op)}
          {value.kind !== 'missing' && (
            <>
              {' '}
              <Shown value={value} />
            </>
          )}
          .
        </>
      )}
    </p>
  );
}

const Shown = ({
  value: { text, is_cut },
}: {
  readonly value: { readonly text: string; readonly is_cut: boolean };
}) => <code>{is_cut ? `${text}…` : text}</code>;
