/** Text as RE2 sees it. */

/** ES2024, which every supported runtime has and the compiler's library does not know yet. */
interface Text2024 {
  toWellFormed(): string;
}

/** The text with U+FFFD for each lone surrogate, so that every engine sees one character; indexes stay the same. */
export function wellFormed(text: string): string {
  return (text as string & Text2024).toWellFormed();
}
