/** A shared token in a header of the channel's choice. It may be preceded by the word `Bearer`. */
import { headerValues } from '../http/headers.js';
import { equalSecrets } from '../secrets/key-format.js';
import { GENUINE, refused, type Source, type SourceSettings } from './source.js';
import { typeInBody } from './topic.js';

export const token: Source = {
  name: 'token',
  needs: ['secrets', 'header'],
  // A header loses the blanks around its value on the way.
  secretProblem: (secret) => (/^[!-~](?:[ -~]*[!-~])?$/.test(secret) ? null : 'is not visible ASCII'),
  verify({ headers }, settings) {
    const [value, ...more] = headerValues(headers, headerOf(settings));
    if (value === undefined) return refused('missing_header');
    if (more.length > 0) return refused('repeated_header');
    const candidates = [value, value.replace(/^Bearer +/i, '')];
    let genuine = false;
    for (const secret of settings.secrets) {
      for (const candidate of candidates) genuine = equalSecrets(secret, candidate) || genuine;
    }
    return genuine ? GENUINE : refused('signature_mismatch');
  },
  deliveryId: () => null,
  challenge: () => null,
  topic: typeInBody,
  secretHeaders: (settings) => [headerOf(settings)],
};

const headerOf = ({ header }: SourceSettings): string => (header ?? '').toLowerCase();
