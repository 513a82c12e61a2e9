/**
 * Pages whose files are loaded when they are opened. One that cannot be loaded says so, and comes as soon as it can.
 */
import { type FunctionComponent, h } from 'preact';
import { lazy } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { lost, online } from '../data/index.js';
import { Failure } from '../ui/index.js';
import { reloadPage } from './offline.js';

/** A page that is loaded when it is first rendered, or before that. */
export type LatePage = FunctionComponent & { readonly preload: () => Promise<unknown> };

type Load = () => Promise<{ readonly default: FunctionComponent }>;

export function latePage(load: Load): LatePage {
  return lazy(async () => {
    try {
      return await load();
    } catch {
      lost();
      return { default: untilLoaded(load) };
    }
  });
}

/** A page instead of one that could not be loaded, and then that page. */
function untilLoaded(load: Load): FunctionComponent {
  let loaded: FunctionComponent | null = null;
  return () => {
    const [page, setPage] = useState(() => loaded);
    const isOnline = online.value;
    useEffect(() => {
      if (page !== null || !isOnline) return;
      load().then(
        ({ default: found }) => {
          loaded = found;
          setPage(() => found);
        },
        () => undefined,
      );
    }, [isOnline]);
    if (page !== null) return h(page, null);
    return (
      <Failure
        title="This page could not be loaded"
        text={
          isOnline
            ? 'Reload it. What you have written in forms is kept.'
            : 'The service cannot be reached. The page opens as soon as it answers.'
        }
        onRetry={reloadPage}
      />
    );
  };
}
