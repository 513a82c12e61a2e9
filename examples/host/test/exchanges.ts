/** Seals exchanges with a key of the tests. */
import { createExchanges } from '../src/delivering/exchange.js';
import { createSealer } from '../src/secrets/sealing.js';

export const exchanges = createExchanges(createSealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]));
