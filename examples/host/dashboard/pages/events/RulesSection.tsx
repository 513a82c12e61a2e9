/** Every rule of today, in evaluation order: why it matched this event, or did not. */
import { useState } from 'preact/hooks';
import { api, currentProject, type Output, useResource } from '../../data/index.js';
import { firstPages } from '../../parts/first-pages.js';
import { Loaded } from '../../parts/Loaded.js';
import { Found, LeafText, MatchTree } from '../../parts/MatchTree.js';
import { Badge, Button, Empty, Icon, Link, Notice, Section, SkeletonRows } from '../../ui/index.js';
import { ACTIONS, statusOf } from '../../words/statuses.js';
import { visible } from '../../words/visible.js';
import type { WholeEvent } from './event-traces.js';

type Answer = Output<'explainEvent'>;
type Rule = Answer['items'][number];
interface Explained extends Pick<Answer, 'have_rules_changed'> {
  readonly items: readonly Rule[];
  readonly isCut: boolean;
}

/** The page reads the first rules; those behind them on a click. */
const FIRST = 50;

export function RulesSection({ event }: { readonly event: WholeEvent }) {
  const project = currentProject();
  const explained = useResource(`explanation ${project} ${event.id} ${event.status}`, (signal) =>
    readExplained(project, event.id, signal),
  );
  return (
    <Section title="Why rules matched, or did not">
      <Loaded of={explained} skeleton={<SkeletonRows rows={4} height={44} />}>
        {(value) => <Rules of={value} isDecided={event.decision !== null} />}
      </Loaded>
    </Section>
  );
}

async function readExplained(project: string, event: string, signal: AbortSignal): Promise<Explained> {
  let changed: boolean | null = null;
  const { items, isCut } = await firstPages(async (cursor) => {
    const page = await api.explainEvent({ project, event, query: { limit: 200, cursor }, signal });
    changed = page.have_rules_changed;
    return page;
  });
  return { items, isCut, have_rules_changed: changed };
}

function Rules({ of, isDecided }: { readonly of: Explained; readonly isDecided: boolean }) {
  const [isWhole, setWhole] = useState(false);
  if (of.items.length === 0) {
    return (
      <Empty
        icon="rules"
        title="No rules yet"
        text="Every event goes to every active endpoint. Create a rule from this event with the button at the top."
      />
    );
  }
  const shown = isWhole ? of.items : of.items.slice(0, FIRST);
  return (
    <>
      {of.have_rules_changed === true && (
        <Notice tone="busy">
          Rules have changed since this event was decided. This is what the rules of today say; where that
          differs from what was decided then, it is told.
        </Notice>
      )}
      <ul class="hg-why" aria-label="Rules in evaluation order">
        {shown.map((rule) => (
          <One key={rule.id} rule={rule} isDecided={isDecided} />
        ))}
      </ul>
      {shown.length < of.items.length && (
        <Button onClick={() => setWhole(true)}>Show the other {of.items.length - shown.length} rules</Button>
      )}
      {of.isCut && <p class="hg-soft hg-small">The project has more rules than are shown here.</p>}
    </>
  );
}

const OUTCOMES = {
  applied: { text: 'Matched', tone: 'good', explains: 'The match tree holds for this event.' },
  not_matched: { text: 'No match', tone: 'quiet', explains: 'The match tree does not hold for this event.' },
  behind_drop: {
    text: 'Not reached',
    tone: 'quiet',
    explains: 'A rule before it drops the event, so this one does not run.',
  },
  disabled: { text: 'Disabled', tone: 'quiet', explains: 'The rule is switched off.' },
} as const;

function One({ rule, isDecided }: { readonly rule: Rule; readonly isDecided: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const name = visible(rule.name);
  const { nodes } = rule.explanation;
  return (
    <li class="hg-why__rule">
      <div class="hg-why__head">
        <button
          type="button"
          class="hg-why__fold"
          aria-expanded={isOpen}
          aria-label={`All conditions of ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
        </button>
        <span class="hg-why__outcome">
          <Badge bare status={OUTCOMES[rule.outcome]} />
        </span>
        <span class="hg-why__name">
          <Link plain href={`/dashboard/rules/${rule.id}`}>
            {name}
          </Link>{' '}
          <span class="hg-soft hg-small">{statusOf(ACTIONS, rule.action).text}</span>
        </span>
        <span class="hg-why__reason hg-small">
          <Reason rule={rule} />
          <Then rule={rule} isDecided={isDecided} />
        </span>
      </div>
      {isOpen && nodes.length > 0 && (
        <div class="hg-why__tree">
          <MatchTree of={rule.explanation} label={`Conditions of ${name}`} />
        </div>
      )}
    </li>
  );
}

/** The condition that decided. */
function Reason({ rule: { explanation } }: { readonly rule: Rule }) {
  const leaf = explanation.decided_by;
  if (leaf === null) return <>It has no conditions.</>;
  return (
    <span>
      <LeafText leaf={leaf} />
      <Found leaf={leaf} />
    </span>
  );
}

/** The differences between today and then. */
function Then({ rule, isDecided }: { readonly rule: Rule; readonly isDecided: boolean }) {
  const isNow = rule.outcome === 'applied';
  if (!isDecided || rule.matched_then === null || rule.matched_then === isNow) return null;
  return (
    <span class="hg-why__then">
      {rule.matched_then ? 'It matched when this was decided' : 'It did not match when this was decided'}
      {rule.changed_since === true ? '; it was changed since.' : '.'}
    </span>
  );
}
