/** Nothing here: it says why, and what comes next. */
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './Icon.js';
import './States.css';

export interface EmptyProps {
  readonly title: string;
  readonly text?: ComponentChildren;
  readonly icon?: IconName;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

export const Empty = ({ title, text, icon, children }: EmptyProps) => (
  <div class="hg-state">
    {icon !== undefined && <Icon name={icon} size={24} />}
    <p class="hg-state__title">{title}</p>
    {text !== undefined && <p class="hg-state__text">{text}</p>}
    {children !== undefined && <div class="hg-state__actions">{children}</div>}
  </div>
);
