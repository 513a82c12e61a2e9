/** Tells other processes of new entries in the log, at most once in a while for each project. */

/** How long notices of a project are gathered. */
const GATHER_MS = 25;

/** Notices that wait to be told. */
export interface Notices {
  /** The first notice of a project goes out at once; those that follow closely, together. */
  add(project: string): void;
  stop(): void;
}

/** @param tell - Tells of one project. */
export function createNotices(tell: (project: string) => void): Notices {
  /** Projects that were told of lately; true where there is more to tell. */
  const lately = new Map<string, boolean>();
  let timer: NodeJS.Timeout | null = null;
  const turn = (): void => {
    timer = null;
    const waiting = [...lately].filter(([, hasMore]) => hasMore).map(([project]) => project);
    lately.clear();
    for (const project of waiting) send(project);
  };
  const send = (project: string): void => {
    lately.set(project, false);
    timer ??= setTimeout(turn, GATHER_MS).unref();
    tell(project);
  };
  return {
    add(project) {
      if (lately.has(project)) lately.set(project, true);
      else send(project);
    },
    stop() {
      if (timer === null) return;
      clearTimeout(timer);
      turn();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
