/** All questions about rules, in the order of the report. */
import { alone } from './alone.js';
import { cliffsQuestion } from './cliffs.js';
import { compile } from './compile.js';
import { flat } from './flat.js';
import { manyPatterns } from './many-patterns.js';
import { parsed } from './parsed.js';
import { webhookPayloads } from './webhook-payloads.js';
import type { AnyQuestion } from './running/question.js';

export const questions = [
  webhookPayloads,
  flat,
  parsed,
  cliffsQuestion,
  manyPatterns,
  compile,
  alone,
] as unknown as readonly AnyQuestion[];
