/** A state in a word, with its colour. */
import type { Status } from '../words/statuses.js';
import './Badge.css';
import { classes } from './classes.js';

export interface BadgeProps {
  /** From the tables of words/statuses.ts. */
  readonly status: Pick<Status, 'text' | 'tone'> & { readonly explains?: string };
  /** Without its box, in tables. */
  readonly bare?: boolean;
}

export const Badge = ({ status, bare = false }: BadgeProps) => (
  <span
    class={classes('hg-badge', `hg-tone-${status.tone}`, bare && 'hg-badge--bare')}
    title={status.explains}
  >
    {status.text}
  </span>
);

/** A tag of an event. */
export const Tag = ({ text }: { readonly text: string }) => (
  <span class="hg-tag" title={text}>
    {text}
  </span>
);
