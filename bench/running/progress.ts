/** How far a run is: a bar on a terminal, elsewhere a line for each case. */
import { SingleBar } from 'cli-progress';

export interface Progress {
  /** Gives what to call when so many cases are over. */
  readonly begin: (name: string) => (count: number) => void;
  readonly stop: () => void;
}

export const startProgress = (total: number): Progress =>
  process.stderr.isTTY ? barOf(total) : linesOf(total);

function barOf(total: number): Progress {
  const bar = new SingleBar({
    format: '  {bar} {value}/{total}  {name}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 32,
    hideCursor: true,
    clearOnComplete: true,
  });
  bar.start(total, 0, { name: '' });
  return {
    begin(name) {
      bar.update({ name });
      return (count) => bar.increment(count);
    },
    stop: () => bar.stop(),
  };
}

function linesOf(total: number): Progress {
  let nth = 0;
  return {
    begin(name) {
      const began = performance.now();
      return (count) => {
        nth += count;
        const seconds = ((performance.now() - began) / 1_000).toFixed(1);
        console.error(`${String(nth).padStart(String(total).length)}/${total}  ${name}  ${seconds} s`);
      };
    },
    stop: () => undefined,
  };
}
