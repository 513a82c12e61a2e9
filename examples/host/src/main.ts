/** The service for operators, who set its environment: `node dist/main.js`. */
import { relative } from 'node:path';
import { runProgram } from './program.js';

await runProgram({ name: `node ${relative('', process.argv[1] ?? '')}`, isForPeople: false });
