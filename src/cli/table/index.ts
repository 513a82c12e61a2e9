/** All commands, in the order of the help. The code of each is loaded when it runs. */
import { type Command, command } from './command.js';
import { completionSpec } from './completion.js';
import { checkSpec, diffSpec, dryRunSpec, explainSpec, importSpec, lintSpec, trySpec } from './rules.js';
import { listenSpec, sendSpec, signSpec, verifySpec } from './signing.js';
import { countSpec, listSpec, migrateSpec, redeliverSpec, retentionSpec } from './store.js';

export const commands: readonly Command[] = [
  command(checkSpec, () => import('../commands/check.js')),
  command(lintSpec, () => import('../commands/lint.js')),
  command(importSpec, () => import('../commands/import.js')),
  command(diffSpec, () => import('../commands/diff.js')),
  command(explainSpec, () => import('../commands/explain.js')),
  command(trySpec, () => import('../commands/try.js')),
  command(dryRunSpec, () => import('../commands/dry-run.js')),
  command(signSpec, () => import('../commands/sign.js')),
  command(verifySpec, () => import('../commands/verify.js')),
  command(listenSpec, () => import('../commands/listen.js')),
  command(sendSpec, () => import('../commands/send.js')),
  command(migrateSpec, () => import('../commands/migrate.js')),
  command(listSpec, () => import('../commands/list.js')),
  command(countSpec, () => import('../commands/count.js')),
  command(redeliverSpec, () => import('../commands/redeliver.js')),
  command(retentionSpec, () => import('../commands/retention.js')),
  command(completionSpec, () => import('../commands/completion.js')),
];
