/** Code and ids, ready to be copied. */
import { useState } from 'preact/hooks';
import { announce } from './announce.js';
import { IconButton } from './Button.js';
import { classes } from './classes.js';
import './Code.css';
import { toast } from './Toast.js';

/** Copies a text, and says that it has. */
export function useCopy(text: string): { readonly isCopied: boolean; readonly copy: () => void } {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toast('The browser does not allow copying. Select the text instead.', { tone: 'bad' });
      return;
    }
    setCopied(true);
    announce('Copied');
    setTimeout(() => setCopied(false), 1_500);
  };
  return { isCopied, copy: () => void copy() };
}

/** A button that copies a text. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const { isCopied, copy } = useCopy(text);
  return (
    <IconButton
      size="s"
      label={isCopied ? 'Copied' : label}
      icon={isCopied ? 'check' : 'copy'}
      onClick={copy}
    />
  );
}

export interface CodeProps {
  readonly text: string;
  /** The name for screen readers. */
  readonly label: string;
  /** Long lines are broken. */
  readonly wrap?: boolean;
}

/** A block of code. */
export const Code = ({ text, label, wrap = false }: CodeProps) => (
  <div class={classes('hg-code', wrap && 'hg-code--wrap')}>
    <pre tabIndex={0} aria-label={label} role="region">
      <code>{text}</code>
    </pre>
    <CopyButton text={text} label={`Copy ${label}`} />
  </div>
);

/** An id, an address or another short text with its button. */
export const Copyable = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <span class="hg-copyable">
    <span class="hg-mono hg-cut" title={text}>
      {text}
    </span>
    <CopyButton text={text} label={`Copy ${label}`} />
  </span>
);
