/** Text of others, as it came: with what is invisible written out. What is copied is the text itself. */
import { useState } from 'preact/hooks';
import { Button, classes, CopyButton } from '../ui/index.js';
import { count } from '../words/numbers.js';
import { visible } from '../words/visible.js';

export interface PlainTextProps {
  readonly text: string;
  /** The name for screen readers. */
  readonly label: string;
  /** A group where one page may show several of this name: landmarks have names of their own. */
  readonly role?: 'region' | 'group';
}

/** Characters that are shown at first: a browser is slow with a line of a million. */
const FIRST = 20_000;

export function PlainText({ text, label, role = 'region' }: PlainTextProps) {
  const [isWhole, setWhole] = useState(false);
  const isCut = text.length > FIRST && !isWhole;
  return (
    <div class={classes('hg-code', 'hg-code--wrap')}>
      <pre tabIndex={0} aria-label={label} role={role}>
        <code>{visible(isCut ? text.slice(0, FIRST) : text)}</code>
        {isCut && (
          <>
            {'…\n\n'}
            <Button size="s" onClick={() => setWhole(true)}>
              Show all {count(text.length)} characters
            </Button>
          </>
        )}
      </pre>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  );
}
