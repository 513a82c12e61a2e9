/** re2js: the contract of engines. */
import { conformance } from './conformance.js';
import { re2js } from './engines.js';

conformance(re2js);
