#!/usr/bin/env node
/** The service for people who try it without a checkout: `npx headgate-host`. */
import { runProgram } from './program.js';

await runProgram({ name: 'npx headgate-host', isForPeople: true });
