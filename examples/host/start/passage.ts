/** The passage of all webhooks through the host, which is killed in the middle, until nothing moves any more. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Progress, type Standing, startProgress } from '../../quickstart/screen.js';
import type { Api } from '../src/client/index.js';
import type { Run } from './found.js';
import type { HostProcess } from './host-process.js';
import { type Counts, deliveriesOf } from './implied.js';
import type { Listener } from './listening.js';
import type { FirstProject } from './project.js';
import { sendAll } from './sending.js';

/** All that takes part. */
export interface Passage {
  readonly api: Api;
  readonly host: HostProcess;
  readonly project: FirstProject;
  readonly listener: Listener;
  readonly implied: Counts;
}

/** Webhooks before the pause in which some deliveries are awaited. A few webhooks later the host is killed. */
const FIRST_WEBHOOKS = 200;
const FIRST_ATTEMPTS = 150;
const KILL_AFTER = 220;
const LOOK_MS = 250;
/** How long nothing moves before the screen says why. */
const STILL_MS = 1_000;
/** All that may pass before everything is counted as it is; it takes some 20 s. */
const PATIENCE_MS = 90_000;
/** How long a killed host's deliveries wait until another may send them. */
const LEASE_SECONDS = 15;

export async function passAll(passage: Passage, bodies: readonly object[]): Promise<Run> {
  const { project, listener, implied } = passage;
  const progress = startProgress(deliveriesOf(implied));
  const watch = createWatch(passage, progress);
  const until = Date.now() + PATIENCE_MS;
  /** When the host was there again; none until it is killed. */
  const restarts: Promise<number>[] = [];
  const answered = (count: number): Promise<void> | undefined => {
    watch.show();
    if (restarts.length > 0 || count < FIRST_WEBHOOKS) return undefined;
    if (count >= KILL_AFTER) restarts.push(killAndStart(passage.host, progress, count));
    return restarts.length === 0 ? watch.attempts(FIRST_ATTEMPTS, until) : undefined;
  };
  const sent = await sendAll(String(project.channel.url), bodies, answered);
  const [restartedAt = 0] = await Promise.all(restarts);
  await watch.quiet(until);
  progress.stop();
  return { project, listener, sent, restartedAt };
}

/** @returns When the host was there again, in Unix ms. */
async function killAndStart(host: HostProcess, progress: Progress, answers: number): Promise<number> {
  await host.kill();
  progress.say(`The host was killed after ${answers} answers. It is started again.`);
  await host.start();
  return Date.now();
}

/** Looks at how far everything is. */
interface Watch {
  /** Shows what the receivers have got. */
  show(): Standing;
  /** Waits for this many attempts. */
  attempts(least: number, until: number): Promise<void>;
  /** Waits until nothing is left to be decided, delivered, received or counted. */
  quiet(until: number): Promise<void>;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

function createWatch({ api, project, listener, implied }: Passage, progress: Progress): Watch {
  const home = { project: project.id };
  let deadLetters = 0;
  const isQuiet = async (): Promise<boolean> => {
    ({ count: deadLetters } = await api.countDeadLetters(home));
    const undecided = await api.listEvents({ ...home, query: { status: 'received', limit: 1 } });
    const pending = await api.listDeliveries({ ...home, query: { state: 'pending', limit: 1 } });
    const isReceived = listener.events.size >= implied.received;
    const { items: rules } = await api.listRules(home);
    const isCounted = sumOf(rules.map(({ counts }) => counts.matched)) >= sumOf(implied.matched);
    return undecided.items.length === 0 && pending.items.length === 0 && isReceived && isCounted;
  };
  const show = (): Standing => {
    const sum = (count: (of: FirstProject['receivers'][number]) => number): number =>
      project.receivers.reduce((all, receiver) => all + count(receiver), 0);
    const standing = {
      over: sum(({ accepted }) => accepted.size) + deadLetters,
      attempts: sum(({ verified }) => verified),
    };
    progress.set(standing);
    return standing;
  };
  return {
    show,
    async attempts(least, until) {
      while (show().attempts < least && Date.now() < until) await sleep(LOOK_MS);
    },
    async quiet(until) {
      const explain = createExplanation(progress);
      while (Date.now() < until && !(await isQuiet())) {
        explain(show());
        await sleep(LOOK_MS);
      }
      show();
    },
  };
}

/** Says once why nothing moves. */
function createExplanation(progress: Progress): (standing: Standing) => void {
  let [last, since, isSaid] = [-1, Date.now(), false];
  return ({ attempts, over }) => {
    const sum = attempts + over;
    if (sum !== last) [last, since] = [sum, Date.now()];
    if (isSaid || Date.now() - since < STILL_MS) return;
    isSaid = true;
    progress.say(
      `What was in flight is sent again when its leases end, ${LEASE_SECONDS} s after they began.`,
    );
  };
}
