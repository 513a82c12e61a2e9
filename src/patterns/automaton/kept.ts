/** Automata made at their first use, and kept while there is room. */
import { parseSyntax, type Syntax } from '../syntax.js';
import { automatonOf, type Automaton } from './automaton.js';

/** Some 6 MB of automata; what falls out is made again in about ten microseconds. */
const MAX_KEPT = 4096;

/** Where an automaton is while it is kept. */
export interface Place {
  automaton: Automaton | undefined;
}

/** A ring of places: who comes clears the place of who came first. */
export class Room {
  private readonly places: Place[] = [];
  private oldest = 0;

  constructor(private readonly size: number) {}

  /** Takes in a place that has just been filled. */
  admit(place: Place): void {
    const former = this.places[this.oldest];
    if (former !== undefined) former.automaton = undefined;
    this.places[this.oldest] = place;
    this.oldest = (this.oldest + 1) % this.size;
  }
}

const room = new Room(MAX_KEPT);

/** The automaton of a pattern that was checked and fits; holds nothing but its source until it is used. */
export function keptAutomaton(source: string): Automaton {
  const place: Place = { automaton: undefined };
  return (text) => {
    if (place.automaton === undefined) {
      place.automaton = automatonOf((parseSyntax(source) as Syntax).tree);
      room.admit(place);
    }
    return place.automaton(text);
  };
}
