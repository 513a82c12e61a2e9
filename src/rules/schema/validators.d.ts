/** The types of validators.js, which generate.ts writes. */
import type { ErrorObject } from 'ajv';

/** Checks one object; on `false`, `errors` holds the problems until the next call. */
export interface NodeValidator {
  (node: unknown): boolean;
  readonly errors?: readonly ErrorObject[] | null;
}

export declare const valueLeaf: NodeValidator;
export declare const textLeaf: NodeValidator;
export declare const listLeaf: NodeValidator;
export declare const orderLeaf: NodeValidator;
export declare const presenceLeaf: NodeValidator;
export declare const drop: NodeValidator;
export declare const transform: NodeValidator;
export declare const route_only: NodeValidator;
export declare const tag: NodeValidator;
export declare const set: NodeValidator;
export declare const redact: NodeValidator;
export declare const uppercase: NodeValidator;
export declare const lowercase: NodeValidator;
export declare const trim: NodeValidator;
export declare const all: NodeValidator;
export declare const any: NodeValidator;
export declare const document: NodeValidator;
export declare const rule: NodeValidator;
