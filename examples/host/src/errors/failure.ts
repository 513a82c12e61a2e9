/** A request that cannot be served, as a value. */

/** The error that the sender is told. */
export interface Failure<Code extends string = string> {
  readonly status: number;
  readonly code: Code;
  /** Quotes nothing of the request's body and none of its secrets. */
  readonly message: string;
}

export type Result<Value, Code extends string = string> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Failure<Code> };

export const success = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
});

export const failure = <Code extends string>(
  status: number,
  code: Code,
  message: string,
): { readonly ok: false; readonly failure: Failure<Code> } => ({
  ok: false,
  failure: { status, code, message },
});
