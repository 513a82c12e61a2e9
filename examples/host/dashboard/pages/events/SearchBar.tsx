/** A search of payloads: its conditions, how far it is, and the button that stops it. Loaded with the first search. */
import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ConditionChip } from '../../parts/FilterBar.js';
import { api, currentProject, useCommands, useResource } from '../../data/index.js';
import { announce, Button, type IconName, Time } from '../../ui/index.js';
import { matchText } from '../../words/match-text.js';
import { count } from '../../words/numbers.js';
import type { Filter } from './filter.js';
import { eventsIn, extentOf, searchedText } from './search-progress.js';

/** Screen readers hear of a search now and then, and when it ends. */
const SAY_MS = 10_000;

/** A search, as the list of events makes it. */
export interface Searching {
  readonly isSearching: ReadonlySignal<boolean>;
  readonly items: ReadonlySignal<readonly unknown[] | null>;
  readonly error: ReadonlySignal<unknown>;
  /** The cursor at which it goes on; null at the end. */
  readonly next: ReadonlySignal<string | null>;
  readonly scanned: ReadonlySignal<number>;
  readonly found: ReadonlySignal<number>;
  /** How far back it is; null before it has begun. */
  readonly scannedTo: ReadonlySignal<string | null>;
  readonly stopSearch: () => void;
  readonly again: () => void;
  readonly reload: () => unknown;
}

export interface SearchBarProps {
  readonly list: Searching;
  readonly filter: Filter;
  /** Opens its conditions. */
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

export function SearchBar({ list, filter, onEdit, onRemove }: SearchBarProps) {
  const about = useAbout(filter);
  const isSearching = list.isSearching.value;
  const [scanned, found, next] = [list.scanned.value, list.found.value, list.next.value];
  const hasEnded = next === null && list.error.value === null;
  const searched = searchedText(scanned, hasEnded ? null : about);
  const foundText = `${count(found)} found`;
  const isBegun = list.items.value !== null;
  useSaying(`${searched}, ${foundText}`, isBegun && !isSearching, isSearching);
  const { text, icon, run } = actionOf(list, isSearching, hasEnded);
  useCommands(isBegun ? [{ text: `${text} the search`, keys: 's', group: 'Events', run }] : []);
  return (
    <div class="hg-payload-search" role="group" aria-label="Search">
      <ConditionChip
        label="Payload"
        text={matchText(filter.match ?? '')}
        onEdit={onEdit}
        onRemove={onRemove}
      />
      <span class="hg-payload-search__text">
        {searched}
        {!hasEnded && list.scannedTo.value !== null && (
          <>
            {' · back to '}
            <Time kind="clock" at={list.scannedTo.value} />
          </>
        )}
        {` · ${foundText}`}
      </span>
      <Button size="s" icon={icon} onClick={run}>
        {text}
      </Button>
      {isSearching && (
        <progress
          aria-label="Searching"
          {...(about !== null && about > scanned && { value: scanned, max: about })}
        />
      )}
    </div>
  );
}

interface SearchAction {
  readonly text: 'Stop' | 'Continue' | 'Repeat';
  readonly icon: IconName;
  readonly run: () => void;
}

/** The button stays when a search ends, and keeps the focus. */
function actionOf(list: Searching, isSearching: boolean, hasEnded: boolean): SearchAction {
  if (isSearching) return { text: 'Stop', icon: 'close', run: list.stopSearch };
  if (hasEnded) return { text: 'Repeat', icon: 'replay', run: () => void list.reload() };
  return { text: 'Continue', icon: 'search', run: list.again };
}

/** Announces a sentence when it is final, and now and then while it changes. */
function useSaying(text: string, isFinal: boolean, changes: boolean): void {
  const latest = useRef(text);
  latest.current = text;
  useEffect(() => {
    if (isFinal) announce(latest.current);
  }, [isFinal]);
  useEffect(() => {
    if (!changes) return;
    const timer = setInterval(() => announce(latest.current), SAY_MS);
    return () => clearInterval(timer);
  }, [changes]);
}

/** About how many events the filter leaves to be searched; null if nobody has counted them. */
function useAbout(filter: Filter): number | null {
  const project = currentProject();
  const days = useResource(`project ${project}`, (signal) => api.getProject({ project, signal })).value
    ?.retention_days;
  const extent = days === undefined ? null : extentOf(filter, days, Date.now());
  const period = extent?.period ?? null;
  const series = useResource(`search ${project} ${period}`, (signal) =>
    period === null ? Promise.resolve(null) : api.eventSeries({ project, query: { period }, signal }),
  ).value;
  return extent === null || !series ? null : eventsIn(series, extent);
}
