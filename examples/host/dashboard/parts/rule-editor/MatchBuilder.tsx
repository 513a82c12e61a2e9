/** The builder of a match: groups of conditions, and groups within them. */
import { useMemo } from 'preact/hooks';
import { Button, Code, Notice } from '../../ui/index.js';
import type { Faults } from './faults.js';
import { GroupItems } from './GroupItems.js';
import type { MatchForm } from './model/match-form.js';
import type { FoundPath } from './model/paths.js';
import { pretty } from './model/print.js';
import type { Section } from './model/rule-form.js';
import { useMatchEdits } from './use-match-edits.js';

export interface MatchBuilderProps {
  readonly project: string;
  readonly match: Section<MatchForm>;
  readonly onChange: (match: Section<MatchForm>) => void;
  readonly paths: readonly FoundPath[];
  readonly faults: Faults;
  readonly onShowJson: () => void;
}

export function MatchBuilder({ match, onShowJson, ...props }: MatchBuilderProps) {
  return match.kind === 'source' ? (
    <TooDeep match={match} onShowJson={onShowJson} />
  ) : (
    <MatchTree {...props} form={match.form} />
  );
}

interface MatchTreeProps extends Omit<MatchBuilderProps, 'match' | 'onShowJson'> {
  readonly form: MatchForm;
}

function MatchTree({ form, onChange, ...props }: MatchTreeProps) {
  const edits = useMatchEdits(form, (next) => onChange({ kind: 'form', form: next }));
  return (
    <div ref={edits.root} class="hg-match">
      <GroupItems {...props} edits={edits} group={form} pointer="/match" />
    </div>
  );
}

/** The deepest part of a text that is laid out: more of it says nothing. */
const MOST_SHOWN = 20_000;

function TooDeep({
  match,
  onShowJson,
}: {
  readonly match: Section<MatchForm> & { readonly kind: 'source' };
  readonly onShowJson: () => void;
}) {
  const text = useMemo(() => pretty(match.text), [match.text]);
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}\n…` : text;
  return (
    <div class="hg-match">
      <Notice
        tone="warn"
        action={
          <Button size="s" onClick={onShowJson}>
            Edit as JSON
          </Button>
        }
      >
        {match.why}
      </Notice>
      <Code label="The match" text={shown} />
    </div>
  );
}
