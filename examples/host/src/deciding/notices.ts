/** Tells other processes what is new, at most once in a while for each project. */

/** How long notices of a project are gathered. */
const GATHER_MS = 25;

/** Notices that wait to be told. */
export interface Notices {
  /** The first notice of a project goes out at once; those that follow closely, together. */
  add(project: string): void;
  /** Notifies those that wait. */
  stop(): void;
}

/** @param tell - Sends the notification for one project. */
export function createNotices(tell: (project: string) => void): Notices {
  /** Projects with a recent notification; true if there is more to report. */
  const lately = new Map<string, boolean>();
  const takeWaiting = (): string[] => {
    const waiting = [...lately].filter(([, hasMore]) => hasMore).map(([project]) => project);
    lately.clear();
    return waiting;
  };
  const send = (project: string): void => {
    if (lately.size === 0) setTimeout(turn, GATHER_MS).unref();
    lately.set(project, false);
    tell(project);
  };
  const turn = (): void => takeWaiting().forEach(send);
  return {
    add(project) {
      if (lately.has(project)) lately.set(project, true);
      else send(project);
    },
    stop: () => takeWaiting().forEach(tell),
  };
}
