/** Compiles patterns for these tests: re2js runs those that need an engine, unless the test names another. */
import * as patterns from '../../src/patterns/index.js';
import type { Pattern, PatternOptions, Redactor } from '../../src/patterns/index.js';
import { re2js } from './engines.js';

export const compilePattern = (source: string, options: PatternOptions = {}): Pattern =>
  patterns.compilePattern(source, { engine: re2js, ...options });

export const compileRedaction = (source: string, template: string, options: PatternOptions = {}): Redactor =>
  patterns.compileRedaction(source, template, { engine: re2js, ...options });

export const decidedUpTo = (pattern: Pattern, options: PatternOptions = {}): number =>
  patterns.decidedUpTo(pattern, { engine: re2js, ...options });
