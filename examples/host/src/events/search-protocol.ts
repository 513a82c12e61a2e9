/** The messages between the main thread and the one that searches. */
import type { DatabaseOptions } from '../db/index.js';
import type { ProblemDetails } from '../ground/problem.js';
import type { Scanned, SearchRequest } from './search.js';

/** Given to the thread when it starts. */
export interface SearchThreadOptions {
  readonly database: DatabaseOptions;
}

/** One search at a time. */
export type Ask = SearchRequest;

/** The result of the search, or the reason why there is none. */
export type Answer =
  | { readonly found: Scanned }
  | { readonly invalid: string; readonly details: ProblemDetails }
  | { readonly failed: string; readonly isUnavailable: boolean };
