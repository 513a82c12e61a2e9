/** Errors as sentences for people. */
import { ApiError } from '../../src/client/index.js';

/** The message to show for an error: that of the API, or one for a network failure or a fault of the page. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return asSentence(error.message);
  if (error instanceof TypeError) {
    return 'The service cannot be reached. Check your connection, and try again.';
  }
  return 'Something went wrong in this page. Reload it; what you have written is kept.';
}

function asSentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** True for a problem of the API with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): error is ApiError =>
  error instanceof ApiError && codes.includes(error.code);
