/** Starts the thread from its sources, which are compiled as they load. The build has no use for it. */
import { register } from 'tsx/esm/api';

register();
await import('./checkpoint-thread.ts');
