/** Event → values → keys → candidates → matches. */
export { Matcher, type Gone } from './matcher.js';
export { newProbe, type Probe } from './probe.js';
