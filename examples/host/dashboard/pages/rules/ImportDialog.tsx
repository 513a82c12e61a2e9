/** Imports a file of rules, and shows the result for each entry. */
import { useState } from 'preact/hooks';
import { api, type Output, sentenceOf } from '../../data/index.js';
import { Badge, Button, Dialog, Field, Link, Notice, TextArea } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';

export interface ImportDialogProps {
  readonly project: string;
  readonly onClose: () => void;
  /** Something was imported. */
  readonly onDone: () => void;
}

type Summary = Output<'importRules'>;

export function ImportDialog({ project, onClose, onDone }: ImportDialogProps) {
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [summary, setSummary] = useState<Summary | null>(null);
  const body = file ?? (text.trim() === '' ? null : text);
  const send = async (): Promise<void> => {
    if (body === null) {
      setError('Choose a file, or paste its text.');
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const answer = await api.importRules({ project, body, contentType: 'application/json' });
      setSummary(answer);
      if (answer.imported > 0) onDone();
    } catch (problem) {
      setError(sentenceOf(problem));
    }
    setBusy(false);
  };
  if (summary !== null) return <SummaryDialog summary={summary} onClose={onClose} />;
  return (
    <Dialog
      title="Import rules"
      onClose={onClose}
      onSubmit={() => void send()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={isBusy}>
            Import
          </Button>
        </>
      }
    >
      <Field label="File" hint="JSON of one rule, or a list of them, as the export gives it.">
        {(control) => (
          <input
            {...control}
            class="hg-file"
            type="file"
            accept=".json,application/json"
            onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
          />
        )}
      </Field>
      {file === null && (
        <TextArea label="Or paste the text" optional code rows={6} value={text} onInput={setText} />
      )}
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </Dialog>
  );
}

const IMPORTED = { text: 'Imported', tone: 'good' } as const;
const SKIPPED = { text: 'Skipped', tone: 'bad' } as const;

function SummaryDialog({ summary, onClose }: { readonly summary: Summary; readonly onClose: () => void }) {
  const { imported, skipped, rules, errors, errors_left_out: leftOut } = summary;
  const isFull = errors.some(({ code }) => code === 'quota_exceeded');
  return (
    <Dialog
      title={`${counted(imported, 'rule')} imported, ${skipped} skipped`}
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {isFull && (
        <Notice
          tone="warn"
          action={
            <Button size="s" href="/dashboard/project">
              See the plans
            </Button>
          }
        >
          The plan has no room for all of them.
        </Notice>
      )}
      <ul class="hg-import" aria-label="Entries">
        {rules.map(({ id, name }) => (
          <li key={id}>
            <Badge bare status={IMPORTED} />
            <Link href={`/dashboard/rules/${id}`}>{name}</Link>
          </li>
        ))}
        {byEntry(errors).map(({ index, name, problems }) => (
          <li key={index ?? -1}>
            <Badge bare status={SKIPPED} />
            <div>
              <strong>{name ?? (index === null ? 'The file' : `Entry ${index + 1}`)}</strong>
              <ul class="hg-small">
                {problems.map(({ pointer, message }, index) => (
                  <li key={index}>
                    {pointer !== '' && <code>{pointer}</code>} {message}
                  </li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ul>
      {imported > rules.length && (
        <p class="hg-soft">{counted(imported - rules.length, 'more rule')} imported.</p>
      )}
      {leftOut > 0 && <p class="hg-soft">{counted(leftOut, 'more problem')} in the file.</p>}
    </Dialog>
  );
}

type Problem = Summary['errors'][number];

/** The problems of each entry together, in the order of the file. */
function byEntry(errors: readonly Problem[]) {
  const entries = new Map<number | null, Problem[]>();
  for (const error of errors) entries.set(error.index, [...(entries.get(error.index) ?? []), error]);
  return [...entries].map(([index, problems]) => ({ index, problems, name: problems[0]?.name }));
}
