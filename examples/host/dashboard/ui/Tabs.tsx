/** Tabs: arrow keys go from one to the next, and show it. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './Tabs.css';

export interface TabsProps<Id extends string> {
  /** The name of the row of tabs. */
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly text: string; readonly count?: number | string }[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  /** The panel of the tab that is selected. */
  readonly children: ComponentChildren;
}

export function Tabs<Id extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Id>) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.id === selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const tab = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (tab === undefined) return;
    event.preventDefault();
    onSelect(tab.id);
    document.getElementById(`${id}-${tab.id}`)?.focus();
  };
  return (
    <div class="hg-tabs">
      <div class="hg-tabs__list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            class="hg-tabs__tab"
            aria-selected={tab.id === selected}
            aria-controls={tab.id === selected ? `${id}-panel` : undefined}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.text}
            {tab.count !== undefined && <span class="hg-tabs__count">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div
        class="hg-tabs__panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${selected}`}
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  );
}
