export { Segment, type Gone } from './segment.js';
