/** The menus behind the values of an event: find others with the value, or create a rule from it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isPortal, mayManage } from '../../data/index.js';
import { newRuleHref, searchHref } from '../../parts/match-of-picks.js';
import { Menu } from '../../ui/index.js';
import type { JsonLine } from '../../words/json-view.js';
import type { WholeEvent } from './event-traces.js';
import './ValueMenus.css';

/** Shows what is behind a value. */
export type AfterValue = ((line: JsonLine) => ComponentChildren) | undefined;

export interface ValueMenusProps {
  readonly event: WholeEvent;
  /** The trees of the event. */
  readonly children: (after: AfterValue) => ComponentChildren;
}

/** The portal has neither rules nor a search. */
export const ValueMenus = (props: ValueMenusProps) =>
  isPortal ? <>{props.children(undefined)}</> : <MenusOf {...props} />;

function MenusOf({ event: { id }, children }: ValueMenusProps) {
  /** The menu that Tab leads to: the last one that had the focus, or the first one. */
  const [stop, setStop] = useState<{ readonly pointer: string | null }>(AT_FIRST);
  let first: string | null = null;
  const after = (line: JsonLine): ComponentChildren => {
    if (line.text.length > LONGEST) return null;
    first ??= line.pointer;
    return (
      <span class="hg-json__menu" onFocusIn={() => setStop({ pointer: line.pointer })}>
        <Menu
          kind="quiet"
          size="s"
          icon="more"
          label={`The value of ${line.path}`}
          items={itemsOf(line, id)}
          tabIndex={line.pointer === (stop.pointer ?? first) ? 0 : -1}
        />
      </span>
    );
  };
  // A click may fold the line of that menu away.
  return (
    <div onKeyDown={goToMenu} onClick={() => setStop({ ...AT_FIRST })}>
      {children(after)}
    </div>
  );
}

const AT_FIRST = { pointer: null } as const;

/** Longer texts would make addresses that are too long. */
const LONGEST = 1_000;

function itemsOf({ path, value, text }: JsonLine, event: string) {
  const picks = [{ path, value, written: text }];
  return [
    { text: 'Find others with this value', icon: 'search' as const, href: searchHref(picks) },
    ...(mayManage()
      ? [{ text: 'Create rule from this value', icon: 'rules' as const, href: newRuleHref(picks, event) }]
      : []),
  ];
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** The arrow keys go from the menu of a value to the next. */
function goToMenu(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('.hg-json__menu > button')];
  const at = buttons.indexOf(event.target as HTMLElement);
  const step = STEPS[event.key];
  if (at < 0 || step === undefined) return;
  event.preventDefault();
  buttons[step(at, buttons.length - 1)]?.focus();
}
