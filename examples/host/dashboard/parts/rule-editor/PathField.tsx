/** A field for a path, which proposes the paths of recent events, each with a sample value. */
import { Combobox } from '../../ui/index.js';
import { findPaths, type FoundPath, type PathHit } from './model/paths.js';

export interface PathFieldProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: string;
  readonly onChange: (path: string) => void;
  readonly paths: readonly FoundPath[];
  readonly error?: string | null;
  readonly hint?: string;
}

const MOST_NOTE = 40;

export const PathField = ({ paths, ...props }: PathFieldProps) => (
  <Combobox
    {...props}
    free
    code
    placeholder="data.body.action"
    options={[]}
    find={(typed) => findPaths(typed, paths).map(optionOf)}
  />
);

function optionOf({ found: { path, samples, kinds }, letters }: PathHit) {
  const text = samples[0]?.text ?? kinds[0] ?? '';
  const note = text.length > MOST_NOTE ? `${text.slice(0, MOST_NOTE - 1)}…` : text;
  return { value: path, note, letters };
}
