/** The frame of every page: its title, its buttons, its sections. */
import type { ComponentChildren } from 'preact';
import { signal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { visible } from '../words/visible.js';
import { classes } from './classes.js';
import { Icon } from './Icon.js';
import './Page.css';

/** The end of every title. */
export const siteName = signal('Headgate');

export interface PageProps {
  /** The heading, and the title of the window. */
  readonly title: string;
  /** Replaces the title, such as a name with its badge. */
  readonly heading?: ComponentChildren;
  /** One or two sentences below the title. */
  readonly text?: ComponentChildren;
  /** Buttons at the end of the head; the main one last. */
  readonly actions?: ComponentChildren;
  /** The list that this page belongs to. */
  readonly back?: { readonly href: string; readonly text: string };
  /** As high as the window: its list scrolls, and not the page. */
  readonly fill?: boolean;
  readonly children: ComponentChildren;
}

export function Page({ title, heading, text, actions, back, fill = false, children }: PageProps) {
  const site = siteName.value;
  useEffect(() => {
    document.title = `${visible(title)} · ${visible(site)}`;
  }, [title, site]);
  return (
    <div class={classes('hg-page', fill && 'hg-page--fill')}>
      <header>
        {back !== undefined && (
          <a class="hg-page__back" href={back.href}>
            <Icon name="left" size={12} />
            {back.text}
          </a>
        )}
        <div class="hg-page__head">
          <h1 class="hg-page__title">{heading ?? title}</h1>
          {actions !== undefined && <div class="hg-row">{actions}</div>}
        </div>
        {text !== undefined && <p class="hg-page__text">{text}</p>}
      </header>
      {children}
    </div>
  );
}

export interface SectionProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page, under a heading. */
export function Section({ title, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section class="hg-section" aria-labelledby={id}>
      <div class="hg-section__head">
        <h2 class="hg-section__title" id={id}>
          {title}
        </h2>
        {actions !== undefined && <div class="hg-row">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** Names and values, one below the other; a value that is missing is left out. */
export const Facts = ({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}) => (
  <dl class="hg-facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== false)
      .map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
  </dl>
);
