/** The configuration: read from the environment, and checked as a whole before anything starts. */
import { meantBy } from './misspelled.js';
import { type Settings, type Variable, VARIABLES } from './variables.js';

/** Everything that is wrong with the environment, at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One line for each variable; it begins with its name. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

const PREFIX = 'HEADGATE_';

/**
 * Reads the environment. An empty variable counts as not set.
 *
 * @throws ConfigError naming every variable that is wrong, and every misspelled one that begins with `HEADGATE_`.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [name, of] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const text = environment[name] ?? '';
    try {
      settings[name] = text === '' ? of.fallback : of.parse(text);
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  problems.push(...unknownSettings(environment));
  if (problems.length === 0) problems.push(...contradictions(settings as Settings, environment));
  if (problems.length > 0) throw new ConfigError(problems);
  return settings as Settings;
}

const NAMES = Object.keys(VARIABLES);

/** Kubernetes describes each service of a namespace by such variables; one is often named after the program. */
const OF_KUBERNETES =
  /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
/** The value of `<SERVICE>_PORT`, which Kubernetes sets, too. */
const ADDRESS_OF_KUBERNETES = /^(?:tcp|udp|sctp):\/\//;

/**
 * Finds variables that look like settings and are not. They may be typing errors, which nobody would notice otherwise.
 */
function unknownSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (!name.startsWith(PREFIX) || NAMES.includes(name)) return [];
    if (OF_KUBERNETES.test(name) || (name.endsWith('_PORT') && ADDRESS_OF_KUBERNETES.test(value))) return [];
    const meant = meantBy(name, NAMES, PREFIX);
    const hint = meant === null ? 'docs/host.md lists all settings' : `did you mean ${meant}?`;
    return [`${name} is not a setting; ${hint}`];
  });
}

/** Finds values that are valid by themselves and contradict each other. */
function contradictions(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const problems: string[] = [];
  // Several processes must read each other's secrets, so none of them may make up keys.
  if (settings.DATABASE_URL !== null && settings.HEADGATE_SEALING_KEYS === null) {
    problems.push(
      'HEADGATE_SEALING_KEYS: required with DATABASE_URL, and the same in all processes: k1:<base64 of 32 bytes>',
    );
  }
  const { HEADGATE_CONCURRENCY: all, HEADGATE_CONCURRENCY_PER_ENDPOINT: one } = settings;
  if (one > all && (environment.HEADGATE_CONCURRENCY_PER_ENDPOINT ?? '') !== '') {
    problems.push(
      `HEADGATE_CONCURRENCY_PER_ENDPOINT: give ${all} at most, which HEADGATE_CONCURRENCY allows in all`,
    );
  }
  // A project has half of the buffer, and a body is held beside another that is still on its way.
  const [body, buffer] = [settings.HEADGATE_MAX_BODY_BYTES, settings.HEADGATE_BUFFER_BYTES];
  if (buffer < 4 * body) {
    problems.push(
      `HEADGATE_BUFFER_BYTES: give ${4 * body} at least, four times the largest body (HEADGATE_MAX_BODY_BYTES)`,
    );
  }
  return problems;
}
