/** A body of an exchange: JSON as a tree or as it was sent, anything else as text. */
import { useMemo, useState } from 'preact/hooks';
import { Button, JsonTree } from '../../ui/index.js';
import { exactDigits } from '../../words/exact-digits.js';
import { bytes } from '../../words/numbers.js';
import { PlainText } from '../PlainText.js';
import { type Content, notesOf, sizeOf, structureOf } from './exchange.js';

export interface BodyProps {
  /** Its name in a sentence, such as `request body`. */
  readonly label: string;
  readonly body: Content;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly isComplete?: boolean;
}

export function Body({ label, body, headers, isComplete }: BodyProps) {
  const [isRaw, setRaw] = useState(false);
  const value = useMemo(() => structureOf(body), [body]);
  const digits = useMemo(() => (value === undefined ? undefined : exactDigits(body.text)), [body]);
  return (
    <div class="hg-exchange__body">
      <div class="hg-exchange__head">
        <h4>
          Body <span class="hg-soft">{bytes(sizeOf(body))}</span>
        </h4>
        {value !== undefined && (
          <Button
            size="s"
            kind={isRaw ? 'plain' : 'quiet'}
            pressed={isRaw}
            label={`Raw ${label}`}
            onClick={() => setRaw(!isRaw)}
          >
            Raw
          </Button>
        )}
      </div>
      {notesOf(body, headers, isComplete).map((note) => (
        <p key={note} class="hg-soft">
          {note}
        </p>
      ))}
      {value !== undefined && !isRaw && <JsonTree label={label} value={value} digits={digits} />}
      {(value === undefined || isRaw) && body.text !== '' && (
        <PlainText label={label} text={body.text} role="group" />
      )}
    </div>
  );
}
