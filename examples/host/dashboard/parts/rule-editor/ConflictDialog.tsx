/** Somebody else has saved the rule meanwhile: both versions side by side, and a choice for each member. */
import { stringifyJson } from 'headgate/slim';
import { useState } from 'preact/hooks';
import { Button, Dialog } from '../../ui/index.js';
import { differences, type Difference, type Member, merged, type Side, type Written } from './model/merge.js';
import { pretty } from './model/print.js';
import './ConflictDialog.css';

export interface ConflictDialogProps {
  /** The version from which I began. */
  readonly base: Written;
  readonly mine: Written;
  readonly theirs: Written;
  /** Takes what was put together, or all that is mine as it is; it is not saved yet. */
  readonly onTake: (rule: Written | 'mine') => void;
  readonly onClose: () => void;
}

const NAMES: Readonly<Record<Member, string>> = {
  name: 'Name',
  description: 'Description',
  match: 'When',
  action: 'Then',
  priority: 'Priority',
  enabled: 'Enabled',
};

export function ConflictDialog({ base, mine, theirs, onTake, onClose }: ConflictDialogProps) {
  const found = differences(base, mine, theirs);
  const [chosen, setChosen] = useState<Partial<Record<Member, Side>>>({});
  const sideOf = (member: Member): Side =>
    chosen[member] ?? found.find((one) => one.member === member)?.suggested ?? 'theirs';
  const conflicts = found.filter(({ isConflict }) => isConflict).length;
  const take = (choice: (member: Member) => Side): void => {
    const isAllMine = found.every(({ member }) => choice(member) === 'mine');
    onTake(isAllMine ? 'mine' : merged(theirs, found, choice));
  };
  return (
    <Dialog
      title="The rule was changed meanwhile"
      size="wide"
      onClose={onClose}
      onSubmit={() => take(sideOf)}
      foot={
        <>
          <Button onClick={() => take(() => 'theirs')}>Take theirs</Button>
          <Button onClick={() => take(() => 'mine')}>Keep mine</Button>
          <Button type="submit" kind="primary">
            Use this choice
          </Button>
        </>
      }
    >
      <p>
        {found.length === 0
          ? 'Both versions are the same.'
          : conflicts === 0
            ? 'You have changed different parts. This choice keeps what each of you did.'
            : 'You have both changed the parts that are marked. Choose which to keep; nothing is saved yet.'}
      </p>
      {found.map((difference) => (
        <Choice
          key={difference.member}
          difference={difference}
          side={sideOf(difference.member)}
          onChoose={(side) => setChosen({ ...chosen, [difference.member]: side })}
        />
      ))}
    </Dialog>
  );
}

interface ChoiceProps {
  readonly difference: Difference;
  readonly side: Side;
  readonly onChoose: (side: Side) => void;
}

const SIDES = { mine: 'Mine', theirs: 'Theirs' } as const;

const Choice = ({ difference, side, onChoose }: ChoiceProps) => (
  <fieldset class="hg-conflict">
    <legend>
      {NAMES[difference.member]}
      {difference.isConflict && <strong class="hg-conflict__mark"> changed by both</strong>}
    </legend>
    {(['mine', 'theirs'] as const).map((one) => (
      <label key={one} class="hg-conflict__side">
        <span class="hg-row">
          <input
            type="radio"
            name={difference.member}
            checked={side === one}
            onChange={() => onChoose(one)}
          />
          {SIDES[one]}
        </span>
        <code class="hg-conflict__value">{shown(difference[one])}</code>
      </label>
    ))}
  </fieldset>
);

/** Nobody compares two longer texts by eye. */
const MOST_SHOWN = 20_000;

function shown(value: unknown): string {
  if (value === undefined) return '(none)';
  const text = typeof value === 'string' ? value : pretty(stringifyJson(value));
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}\n…` : text;
}
