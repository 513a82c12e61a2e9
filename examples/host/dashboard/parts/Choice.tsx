/** One of a few, each with a sentence: radio buttons. */
import { useId } from 'preact/hooks';
import './Choice.css';

export interface ChoiceProps<Value extends string> {
  /** The name of the group. */
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly { readonly value: Value; readonly text: string; readonly hint?: string }[];
}

export function Choice<Value extends string>({ label, value, onChange, options }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <fieldset class="hg-choice">
      <legend>{label}</legend>
      {options.map((option) => (
        <div key={option.value} class="hg-choice__one">
          <input
            type="radio"
            id={`${id}-${option.value}`}
            name={id}
            checked={option.value === value}
            aria-describedby={option.hint === undefined ? undefined : `${id}-${option.value}-hint`}
            onChange={() => onChange(option.value)}
          />
          <label for={`${id}-${option.value}`}>{option.text}</label>
          {option.hint !== undefined && (
            <span class="hg-choice__hint" id={`${id}-${option.value}-hint`}>
              {option.hint}
            </span>
          )}
        </div>
      ))}
    </fieldset>
  );
}
