/** The engine where the host has none. */
import type { PatternEngine } from './port.js';

/**
 * Compiles nothing. Code that compiles rules refuses patterns that need an engine if it was not given one, so that no
 * event ever comes this far.
 */
export const noEngine: PatternEngine = {
  name: 'none',
  maxSubjectLength: Infinity,
  maxPrograms: 1,
  compile: () => {
    throw new Error('there is no engine');
  },
};
