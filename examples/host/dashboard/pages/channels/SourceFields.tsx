/** The fields of a source: which one, its secrets, and where they are found. */
import { Button, Checkbox, IconButton, Select, TextField } from '../../ui/index.js';
import type { Changing } from '../../parts/change.js';
import type { SourceForm } from './source-form.js';
import { SOURCE_OPTIONS, SOURCES } from './sources.js';

export interface SourceFieldsProps {
  readonly form: SourceForm;
  readonly onChange: (form: SourceForm) => void;
  readonly change: Changing;
  readonly disabled?: boolean;
  /** Secrets that are stored, and are replaced by those that are written. */
  readonly stored?: number;
}

/** Pointers of the fields, for `useChange`. */
export const SOURCE_POINTERS = ['/source/secrets', '/source/header'];

export function SourceFields({ form, onChange, change, disabled = false, stored = 0 }: SourceFieldsProps) {
  const { secret, where, checks } = SOURCES[form.source];
  return (
    <>
      <Select
        label="Source"
        value={form.source}
        options={SOURCE_OPTIONS}
        disabled={disabled}
        onChange={(source) => onChange({ ...form, source, secrets: [''] })}
        hint={checks}
      />
      {form.source === 'token' && (
        <TextField
          label="Header"
          code
          value={form.header}
          disabled={disabled}
          onInput={(header) => onChange({ ...form, header })}
          placeholder="Authorization"
          error={change.at('/source/header')}
        />
      )}
      {secret === null ? (
        <p class="hg-soft">{where}</p>
      ) : (
        <SecretFields {...{ form, onChange, change, disabled, stored }} label={secret} where={where} />
      )}
      <Checkbox
        label="Ask for a key of this project, too"
        hint="Requests must have the header Authorization: Bearer with a key of the scope ingest. For senders of your own."
        checked={form.requiresKey}
        disabled={disabled}
        onChange={(requiresKey) => onChange({ ...form, requiresKey })}
      />
    </>
  );
}

interface SecretFieldsProps extends Required<SourceFieldsProps> {
  readonly label: string;
  readonly where: string;
}

/** Several while the sender changes its secret: a request that fits one of them is genuine. */
function SecretFields({ form, onChange, change, disabled, stored, label, where }: SecretFieldsProps) {
  const { secrets } = form;
  const set = (index: number, value: string): void =>
    onChange({ ...form, secrets: secrets.map((one, at) => (at === index ? value : one)) });
  const { placeholder = '' } = SOURCES[form.source];
  return (
    <div class="hg-source__secrets">
      {secrets.map((secret, index) => (
        <div class="hg-source__secret" key={index}>
          <TextField
            label={index === 0 ? label : `${label} ${index + 1}`}
            type="password"
            code
            autoComplete="new-password"
            value={secret}
            disabled={disabled}
            onInput={(value) => set(index, value)}
            placeholder={stored > 0 ? 'Stored, and not shown' : placeholder}
            hint={index === 0 ? where : undefined}
            error={
              change.at(`/source/secrets/${index}`) ?? (index === 0 ? change.at('/source/secrets') : null)
            }
          />
          {index > 0 && (
            <IconButton
              icon="close"
              label={`Remove ${label.toLowerCase()} ${index + 1}`}
              onClick={() => onChange({ ...form, secrets: secrets.filter((_, at) => at !== index) })}
            />
          )}
        </div>
      ))}
      <div>
        <Button
          size="s"
          icon="plus"
          disabled={disabled || secrets.length >= 16}
          onClick={() => onChange({ ...form, secrets: [...secrets, ''] })}
        >
          Accept another one
        </Button>
      </div>
      {stored > 0 && (
        <p class="hg-soft hg-small">
          {stored === 1 ? 'A secret is stored.' : `${stored} secrets are stored.`} What you write replaces
          {stored === 1 ? ' it' : ' them'}; write all secrets that are to be accepted.
        </p>
      )}
    </div>
  );
}
