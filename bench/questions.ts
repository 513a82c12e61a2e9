/** All questions about rules, in the order of the report. */
import { flat } from './flat.js';
import type { AnyQuestion } from './running/question.js';

export const questions = [flat] as unknown as readonly AnyQuestion[];
