/** Listeners by topic, within one process. */
import type { Topic } from './port.js';

/** Listeners of one database. */
export interface Topics {
  listen(topic: Topic, told: (payload: string) => void): () => void;
  tell(topic: Topic, payload: string): void;
  /** Tells every listener of every topic. */
  tellAll(payload: string): void;
}

/** Begins without listeners. */
export function createTopics(): Topics {
  const listeners = new Map<Topic, Set<(payload: string) => void>>();
  const tell = (topic: Topic, payload: string): void => {
    for (const told of [...(listeners.get(topic) ?? [])]) told(payload);
  };
  return {
    listen(topic, told) {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(told));
      return () => void all.delete(told);
    },
    tell,
    tellAll(payload) {
      for (const topic of listeners.keys()) tell(topic, payload);
    },
  };
}
