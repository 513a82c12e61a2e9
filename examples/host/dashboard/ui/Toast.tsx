/**
 * Short notices that go away by themselves: what was done, and a way back. Failures that need a decision are not shown
 * as toasts.
 */
import { signal } from '@preact/signals';
import { announce } from './announce.js';
import { Button, IconButton } from './Button.js';
import { classes } from './classes.js';
import { Icon } from './Icon.js';
import './Toast.css';

export interface ToastOptions {
  readonly tone?: 'good' | 'bad';
  readonly action?: { readonly text: string; readonly run: () => void };
}

interface Shown extends ToastOptions {
  readonly id: number;
  readonly text: string;
}

const STAYS_MS = 6_000;
const MOST = 4;
const shown = signal<readonly Shown[]>([]);
let lastId = 0;

/** Shows a sentence, and tells it. A failure stays until it is closed. */
export function toast(text: string, options: ToastOptions = {}): void {
  const id = ++lastId;
  shown.value = [...shown.value, { id, text, ...options }].slice(-MOST);
  announce(text);
  if (options.tone !== 'bad') setTimeout(() => close(id), STAYS_MS);
}

const close = (id: number): void => {
  shown.value = shown.value.filter((one) => one.id !== id);
};

/** The stack of toasts; the shell renders it once. */
export const Toasts = () =>
  shown.value.length === 0 ? null : (
    <div class="hg-toasts" role="region" aria-label="Notices">
      {shown.value.map((one) => (
        <Toast key={one.id} {...one} />
      ))}
    </div>
  );

const Toast = ({ id, text, tone = 'good', action }: Shown) => (
  <div class={classes('hg-toast', `hg-tone-${tone}`)}>
    <Icon name={tone === 'bad' ? 'failure' : 'check'} />
    <span>{text}</span>
    {action !== undefined && (
      <Button
        size="s"
        onClick={() => {
          close(id);
          action.run();
        }}
      >
        {action.text}
      </Button>
    )}
    <IconButton size="s" label="Close" icon="close" onClick={() => close(id)} />
  </div>
);
