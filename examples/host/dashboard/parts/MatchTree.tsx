/** A match tree that was tried on an event: each condition with what the event has there, and the one that decided. */
import type { Output } from '../data/index.js';
import { classes, Icon, type IconName } from '../ui/index.js';
import { operatorText } from '../words/operators.js';
import { visible } from '../words/visible.js';
import './MatchTree.css';

export type Explanation = Output<'explainEvent'>['items'][number]['explanation'];
type Node = Explanation['nodes'][number];
export type Leaf = NonNullable<Node['leaf']>;

const RESULTS: Readonly<Record<Node['result'], { readonly icon: IconName; readonly text: string }>> = {
  held: { icon: 'check', text: 'holds' },
  not_held: { icon: 'close', text: 'does not hold' },
  not_reached: { icon: 'more', text: 'was not looked at' },
  undecided: { icon: 'warning', text: 'took too much work, and counts as not held' },
};
const GROUPS = { all: 'All of', any: 'Any of' } as const;

export const MatchTree = ({ of, label }: { readonly of: Explanation; readonly label: string }) => (
  <>
    <ul class="hg-match" aria-label={label}>
      {of.nodes.map((node, index) => (
        <Line key={index} node={node} />
      ))}
    </ul>
    {of.is_cut && <p class="hg-soft hg-small">The tree goes on; these are its first 500 conditions.</p>}
  </>
);

function Line({ node: { depth, kind, result, is_deciding: isDeciding, leaf } }: { readonly node: Node }) {
  const { icon, text } = RESULTS[result];
  return (
    <li
      class={classes('hg-match__line', `hg-match__line--${result}`, isDeciding && 'hg-match__line--deciding')}
      style={{ '--depth': String(Math.min(depth, 12)) }}
      aria-level={depth + 1}
    >
      <Icon name={icon} size={14} />
      <span class="hg-match__text">
        {kind === 'leaf' && leaf !== null ? <LeafText leaf={leaf} /> : `${GROUPS[kind as 'all' | 'any']}:`}
        {result === 'undecided' ? <span> ({text})</span> : <span class="hg-unseen"> ({text})</span>}
        {leaf !== null && result !== 'not_reached' && <Found leaf={leaf} />}
      </span>
      {isDeciding && <span class="hg-match__mark">decided it</span>}
    </li>
  );
}

/** A condition as a sentence. */
export const LeafText = ({ leaf: { path, op, value } }: { readonly leaf: Leaf }) => (
  <>
    <code>{visible(path)}</code> {operatorText(op)} {value.kind !== 'missing' && <Shown value={value} />}
  </>
);

/** The value that the event has at the path, as the end of a sentence. */
export const Found = ({ leaf: { found, op, is_present, element } }: { readonly leaf: Leaf }) =>
  found.kind === 'missing' ? (
    <span class="hg-match__found">
      {is_present ? ' — no such element' : op === 'missing' ? '' : ' — it is missing'}
    </span>
  ) : (
    <span class="hg-match__found">
      {element === null ? (
        ' — it is '
      ) : (
        <>
          {' — '}
          <code>{visible(element)}</code>
          {' is '}
        </>
      )}
      <Shown value={found} />
    </span>
  );

const Shown = ({ value: { text, is_cut: isCut } }: { readonly value: Leaf['value'] }) => (
  <code>
    {visible(text)}
    {isCut && '…'}
  </code>
);
