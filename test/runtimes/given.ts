/** Facts that a program is given when it is bundled: it has no files. */
import type { MatchExample, TransformExample } from '../docs/rules-examples.js';
import type { Re2Vectors } from '../patterns/re2-vectors.js';
import type { SigningVector } from '../signing/signing-vectors.js';

export interface Given {
  /** The address of the host that clients connect to. */
  readonly streamHost: string;
  /** The address of the receiver that HTTP goes to. */
  readonly hooks: string;
  readonly signing: readonly SigningVector[];
  readonly re2: Re2Vectors;
  readonly matches: readonly MatchExample[];
  readonly transforms: readonly TransformExample[];
}

/** Stands in the program as JSON. */
declare const GIVEN: Given;

export const given = GIVEN;
