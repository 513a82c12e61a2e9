/** The shape of a command. One table of these drives parsing, help, completion scripts and docs/cli.md. */
/** Common to all options. */
interface Described {
  readonly description: string;
}

/** An option without a value. */
export interface FlagOption extends Described {
  readonly type: 'flag';
}

/** An option with any text. */
export interface TextOption extends Described {
  readonly type: 'text';
  /** Stands for the value in help. */
  readonly value: string;
  /** May be given several times. */
  readonly many?: true;
  /** No message repeats its value. */
  readonly secret?: true;
  readonly choices?: readonly string[];
  readonly default?: string;
}

/** An option with a whole number. */
export interface CountOption extends Described {
  readonly type: 'count';
  readonly value: string;
  readonly min: number;
  readonly max: number;
  readonly default?: number;
}

/** An option with a time in ISO 8601 or Unix seconds; Unix ms once read. */
export interface InstantOption extends Described {
  readonly type: 'instant';
  readonly value: string;
}

/** An option with a length of time, such as `30d`, `12h` or `90s`; milliseconds once read. */
export interface DurationOption extends Described {
  readonly type: 'duration';
  readonly value: string;
  /** As on the command line. */
  readonly default?: string;
}

export type Option = FlagOption | TextOption | CountOption | InstantOption | DurationOption;

/** A word of the command line that is not an option. */
export interface Argument {
  readonly description: string;
  readonly optional?: true;
  /** Only of arguments that are not optional. */
  readonly choices?: readonly string[];
}

/** A command, without its code. */
export interface Spec {
  /** Its words, such as `rules check`. */
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Paragraphs. */
  readonly details: readonly string[];
  /** By name, in the order of the command line. */
  readonly args: Readonly<Record<string, Argument>>;
  /** By name, without dashes. */
  readonly options: Readonly<Record<string, Option>>;
  readonly examples: readonly Example[];
}

export interface Example {
  readonly shows: string;
  readonly command: string;
}

type Scalar<O> = O extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : O extends TextOption
    ? string
    : number;

type ValueOf<O> = O extends FlagOption
  ? boolean
  : O extends { readonly many: true }
    ? readonly string[]
    : O extends { readonly default: unknown }
      ? Scalar<O>
      : Scalar<O> | undefined;

/** The values of a command line, as its spec says. */
export interface Values<S extends Spec> {
  readonly args: { readonly [name in keyof S['args']]: ArgumentValue<S['args'][name]> };
  readonly options: { readonly [name in keyof S['options']]: ValueOf<S['options'][name]> };
}

type ArgumentValue<A> = A extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : A extends { readonly optional: true }
    ? string | undefined
    : string;
