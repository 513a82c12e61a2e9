/** Fields of forms: a label, a control, a hint, and the sentence that says what is wrong. */
import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';
import './Field.css';
import { classes } from './classes.js';

/** The attributes that a control spreads over its element. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

export interface FieldProps {
  readonly label: ComponentChildren;
  /** The label is read and not seen, as in a bar of filters. */
  readonly hideLabel?: boolean | undefined;
  readonly hint?: ComponentChildren;
  /** A sentence: what is wrong, and what to do. */
  readonly error?: string | null | undefined;
  readonly optional?: boolean | undefined;
}

/** The frame of any control. */
export function Field(props: FieldProps & { readonly children: (control: ControlProps) => VNode }) {
  const { label, hideLabel = false, hint, error = null, optional = false, children } = props;
  const id = useId();
  const about = [hint !== undefined && `${id}-hint`, error !== null && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div class="hg-field">
      <label class={hideLabel ? 'hg-unseen' : 'hg-field__label'} for={id}>
        {label}
        {optional && <span class="hg-field__optional"> (optional)</span>}
      </label>
      {children({
        id,
        'aria-describedby': about === '' ? undefined : about,
        'aria-invalid': error === null ? undefined : 'true',
      })}
      {hint !== undefined && (
        <div class="hg-field__hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error !== null && (
        <div class="hg-field__error" id={`${id}-error`} role="alert">
          {error}
        </div>
      )}
    </div>
  );
}

/** Props that all text controls share. */
interface TextProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly required?: boolean;
  /** In the font of code: ids, paths, URLs. */
  readonly code?: boolean;
  readonly maxLength?: number;
}

export interface TextFieldProps extends TextProps {
  readonly type?: 'text' | 'search' | 'url' | 'number' | 'password' | 'datetime-local';
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly name?: string;
  readonly min?: number;
  readonly max?: number;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

export const TextField = ({ value, onInput, code = false, type = 'text', ...props }: TextFieldProps) => (
  <Field {...props}>
    {(control) => (
      <input
        {...control}
        class={classes('hg-input', code && 'hg-input--code')}
        // The types of Preact have a case for each type of an input; what is given here fits all of them.
        {...({ type } as { readonly type: 'text' })}
        name={props.name}
        value={value}
        placeholder={props.placeholder}
        disabled={props.disabled}
        required={props.required}
        maxLength={props.maxLength}
        min={props.min}
        max={props.max}
        autoComplete={props.autoComplete ?? 'off'}
        autoFocus={props.autoFocus}
        spellcheck={false}
        onKeyDown={props.onKeyDown}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    )}
  </Field>
);

export const TextArea = ({
  value,
  onInput,
  code = false,
  rows = 4,
  ...props
}: TextProps & { readonly rows?: number }) => (
  <Field {...props}>
    {(control) => (
      <textarea
        {...control}
        class={classes('hg-input', code && 'hg-input--code')}
        rows={rows}
        value={value}
        placeholder={props.placeholder}
        disabled={props.disabled}
        required={props.required}
        maxLength={props.maxLength}
        spellcheck={!code}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    )}
  </Field>
);

/** A choice of few; for many, or for free text, take the Combobox. */
export interface SelectProps<Value extends string> extends FieldProps {
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
}

export const Select = <Value extends string>(props: SelectProps<Value>) => (
  <Field {...props}>
    {(control) => (
      <select
        {...control}
        class="hg-input"
        value={props.value}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.value as Value)}
      >
        {props.options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface CheckProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

export const Checkbox = ({ label, hint, checked, onChange, disabled }: CheckProps) => (
  <label class="hg-check">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span>{label}</span>
    {hint !== undefined && <span class="hg-field__hint">{hint}</span>}
  </label>
);

/** Takes effect at once, as "enabled" in a list does. */
export const Switch = ({
  label,
  checked,
  onChange,
  disabled,
}: Omit<CheckProps, 'hint' | 'label'> & { readonly label: string }) => (
  <button
    type="button"
    role="switch"
    class="hg-switch"
    aria-checked={checked}
    aria-label={label}
    title={label}
    disabled={disabled}
    onClick={() => onChange(!checked)}
  />
);
