/** Starts a worker from its sources, which are compiled as they load. The build has no use for it. */
import { workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
await import(workerData.source);
