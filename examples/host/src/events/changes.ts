/** Tells every process which events have new attempts or replies, so that pages that show one are up to date. */

/** Changes of one project; null: too many to name. */
export type Changed = readonly string[] | null;

/** Changes that are gathered for a moment. One for each process. */
export interface Changes {
  /** An event has a new attempt or a new reply. */
  add(project: string, event: string): void;
  /** Notifies those that wait. */
  stop(): void;
}

/** How long the changes of a project are gathered. */
const GATHER_MS = 250;
/** A notification of Postgres has at most 8,000 bytes. */
const MOST = 100;
const ALL = '*';

/** @param tell - Gets the payload of a notification. */
export function createChanges(tell: (payload: string) => void): Changes {
  const gathered = new Map<string, Set<string>>();
  const send = (project: string): void => {
    const events = gathered.get(project);
    gathered.delete(project);
    if (events === undefined) return;
    tell(`${project} ${events.size > MOST ? ALL : [...events].join(' ')}`);
  };
  return {
    add(project, event) {
      const known = gathered.get(project);
      if (known === undefined) setTimeout(() => send(project), GATHER_MS).unref();
      // One more than can be told is enough to know that there are too many.
      const events = known ?? new Set();
      gathered.set(project, events.size > MOST ? events : events.add(event));
    },
    stop: () => [...gathered.keys()].forEach(send),
  };
}

/** Reads a notification; one that is empty stands for all that may have been missed. */
export function readChanges(payload: string): { readonly project: string; readonly events: Changed } {
  const [project = '', ...events] = payload.split(' ');
  return { project, events: events[0] === ALL || events.length === 0 ? null : events };
}
