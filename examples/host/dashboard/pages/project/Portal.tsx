/** How the portal looks to customers: its name, its logo, its accent. */
import { useState } from 'preact/hooks';
import { api, mayManage, type Output } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { Button, Field, Notice, Section, TextField, toast } from '../../ui/index.js';

type Project = Output<'getProject'>;

/** The texts of the form; a logo is the file that was chosen, null for none, undefined for the one that is there. */
interface Form {
  readonly name: string;
  readonly accent: string;
  readonly logo: File | null | undefined;
}

const MOST_BYTES = 48_000;
const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml'];

const faultsOf = ({ accent, logo }: Form) => ({
  accent: /^(?:#[\da-f]{6})?$/i.test(accent.trim()) ? null : 'Write it as # and six digits, such as #3d56d6.',
  logo:
    logo && (logo.size > MOST_BYTES || !TYPES.includes(logo.type))
      ? 'Choose a PNG, JPEG, WebP, GIF or SVG image of at most 48 kB.'
      : null,
});

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file cannot be read')));
    reader.readAsDataURL(file);
  });

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

export interface PortalProps {
  readonly project: Project;
  readonly onSaved: (project: Project) => void;
}

export function Portal({ project, onSaved }: PortalProps) {
  const { portal } = project;
  const saved: Form = { name: portal.name ?? '', accent: portal.accent ?? '', logo: undefined };
  const [edits, setEdits] = useState<Partial<Form>>({});
  const form = { ...saved, ...edits };
  const faults = faultsOf(form);
  const { isBusy, error, run } = useChange();
  const isFaulty = Object.values(faults).some((fault) => fault !== null);
  const isDirty = Object.keys(edits).length > 0;
  const save = (): Promise<boolean> =>
    run(async () => {
      const { name, accent, logo } = form;
      const logo_url = logo ? await dataUrlOf(logo) : logo;
      const body = {
        name: textOrNull(name),
        accent: textOrNull(accent),
        ...(logo_url !== undefined && { logo_url }),
      };
      onSaved(await api.updateProject({ project: project.id, body: { portal: body } }));
      setEdits({});
      toast('The portal is saved');
    });
  return (
    <Section title="Portal">
      <form
        class="hg-card hg-settings"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isFaulty && !isBusy) void save();
        }}
      >
        <Fields {...{ form, faults, project }} onChange={(members) => setEdits({ ...edits, ...members })} />
        {error !== null && <Notice tone="bad">{error}</Notice>}
        <div class="hg-row">
          <Button type="submit" kind="primary" busy={isBusy} disabled={!mayManage() || !isDirty || isFaulty}>
            Save portal
          </Button>
        </div>
      </form>
    </Section>
  );
}

interface FieldsProps {
  readonly form: Form;
  readonly faults: ReturnType<typeof faultsOf>;
  readonly project: Project;
  readonly onChange: (members: Partial<Form>) => void;
}

function Fields({ form, faults, project, onChange }: FieldsProps) {
  const disabled = !mayManage();
  const { logo_url: logo } = project.portal;
  return (
    <>
      <TextField
        label="Shown to customers as"
        optional
        value={form.name}
        maxLength={100}
        placeholder={project.name}
        disabled={disabled}
        hint="The heading of the portal, which shows customers their endpoints and events in a frame of your application."
        onInput={(name) => onChange({ name })}
      />
      <TextField
        label="Accent"
        optional
        code
        value={form.accent}
        maxLength={7}
        placeholder="#3d56d6"
        disabled={disabled}
        error={faults.accent}
        hint="The colour of buttons and links. It is made lighter or darker where text could not be read."
        onInput={(accent) => onChange({ accent })}
      />
      <Field
        label="Logo"
        optional
        error={faults.logo}
        hint="An image of at most 48 kB, shown 24 pixels high."
      >
        {(control) => (
          <input
            {...control}
            class="hg-input"
            type="file"
            accept={TYPES.join()}
            disabled={disabled}
            onChange={({ currentTarget: { files } }) => onChange({ logo: files?.[0] })}
          />
        )}
      </Field>
      {logo !== null && form.logo === undefined && (
        <div class="hg-row">
          <img src={logo} alt="The logo" height="24" />
          {!disabled && (
            <Button size="s" icon="trash" onClick={() => onChange({ logo: null })}>
              Remove the logo
            </Button>
          )}
        </div>
      )}
    </>
  );
}
