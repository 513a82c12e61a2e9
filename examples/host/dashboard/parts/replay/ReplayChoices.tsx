/** The choices of a replay, of one event or of many: by which rules, and to whom. */
import { isPortal, type Output } from '../../data/index.js';
import { Checkbox } from '../../ui/index.js';
import { Choice } from '../Choice.js';
import type { NamedEndpoint } from '../endpoints.js';
import './ReplayChoices.css';

export type Rules = Output<'replayEvent'>['rules'];

export interface ReplayChoicesProps {
  readonly rules: Rules;
  readonly onRules: (rules: Rules) => void;
  readonly endpoints: ReadonlyMap<string, NamedEndpoint>;
  /** Ids of endpoints; null for everybody whom the decision names. */
  readonly chosen: ReadonlySet<string> | null;
  readonly onChoose: (chosen: ReadonlySet<string> | null) => void;
}

export const ReplayChoices = ({ rules, onRules, endpoints, chosen, onChoose }: ReplayChoicesProps) => (
  <>
    {!isPortal && <Choice label="Rules" value={rules} onChange={onRules} options={RULES} />}
    <Choice
      label="Send to"
      value={chosen === null ? 'all' : 'some'}
      onChange={(to) => onChoose(to === 'all' ? null : new Set())}
      options={isPortal ? TO_PORTAL : TO}
    />
    {chosen !== null && <Endpoints of={[...endpoints.values()]} chosen={chosen} onChange={onChoose} />}
  </>
);

const RULES = [
  {
    value: 'recorded',
    text: 'As it was decided then',
    hint: 'The same data, tags and endpoints, whatever the rules say today.',
  },
  {
    value: 'again',
    text: 'By the rules of today',
    hint: 'Decides again: it may be changed, routed or dropped.',
  },
] as const;
const TO = [
  {
    value: 'all',
    text: 'Everybody whom the decision names',
    hint: 'Also SDK clients. Paused endpoints are left out.',
  },
  {
    value: 'some',
    text: 'Some endpoints',
    hint: 'Only the endpoints that you choose, even if they are paused.',
  },
] as const;

/** The portal knows neither rules nor SDK clients. */
const TO_PORTAL = [
  {
    value: 'all',
    text: 'The endpoints that got it then',
    hint: 'Paused endpoints are left out.',
  },
  TO[1],
] as const;

interface EndpointsProps {
  readonly of: readonly NamedEndpoint[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

const Endpoints = ({ of, chosen, onChange }: EndpointsProps) => (
  <fieldset class="hg-replay__endpoints">
    <legend class="hg-unseen">Endpoints</legend>
    {of.length === 0 && <p class="hg-soft">The project has no endpoint.</p>}
    {of.map(({ id, name, status }) => (
      <Checkbox
        key={id}
        label={status === 'paused' ? `${name} (paused)` : name}
        checked={chosen.has(id)}
        onChange={(is) => onChange(new Set(is ? [...chosen, id] : [...chosen].filter((one) => one !== id)))}
      />
    ))}
  </fieldset>
);
