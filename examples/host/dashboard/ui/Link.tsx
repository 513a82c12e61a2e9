/** Links inside a text or a table. */
import type { ComponentChildren } from 'preact';
import './Link.css';
import { classes } from './classes.js';

export interface LinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
  /** In the colour of the text around it, as the title of a row. */
  readonly plain?: boolean;
  readonly label?: string | undefined;
  readonly class?: string;
}

/** A link within the pages; the router follows it without a reload. */
export const Link = ({ href, children, plain = false, label, class: extra }: LinkProps) => (
  <a class={classes('hg-link', plain && 'hg-link--plain', extra)} href={href} aria-label={label}>
    {children}
  </a>
);

/** A link to another site, which opens in a tab of its own. */
export const OutsideLink = ({ href, children }: Pick<LinkProps, 'href' | 'children'>) => (
  <a class="hg-link" href={href} target="_blank" rel="noreferrer noopener">
    {children}
    <span class="hg-unseen"> (opens in a new tab)</span>
  </a>
);
