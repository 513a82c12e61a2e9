/**
 * The samples of a dry-run as they are answered: fifty events of a MiB each would be an answer of a hundred MiB. Pure.
 */
import { type DryRunReport, type DryRunSample, stringifyJson } from 'headgate';

/** Most UTF-16 units of the JSON of all samples that keep their data. */
const MOST_UNITS = 2_097_152;

/** The JSON of a report. The samples for whose data there is no room keep everything else. */
export function reportText({ samples, ...report }: DryRunReport): string {
  let left = MOST_UNITS;
  const texts = samples.map((sample) => {
    const text = stringifyJson(sample);
    if (text.length > left) return stringifyJson(withoutData(sample));
    left -= text.length;
    return text;
  });
  return `${stringifyJson(report).slice(0, -1)},"samples":[${texts.join()}]}`;
}

const withoutData = ({ diff, ...sample }: DryRunSample): object => ({
  ...{ ...sample, data: null, data_truncated: true },
  ...(diff !== undefined && { diff: [], diff_truncated: true }),
});
