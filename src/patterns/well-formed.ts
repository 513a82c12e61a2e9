/** Text without lone surrogates, as engines take it. */

/** A method of ES2024, which all supported runtimes have and the compiler's library lacks. */
interface Text2024 {
  toWellFormed(): string;
}

/** Replaces each lone surrogate by U+FFFD, which every engine reads as one character; indexes stay the same. */
export function wellFormed(text: string): string {
  return (text as string & Text2024).toWellFormed();
}
