/** Names the tests that used more than half of their time, since on a busier machine they would fail. */
import type { Reporter, TestCase } from 'vitest/node';

export default class NearDeadlines implements Reporter {
  readonly #near: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const { duration } = test.diagnostic() ?? { duration: 0 };
    const timeout = timeoutOf(test);
    if (duration <= timeout / 2) return;
    this.#near.push(
      `${test.module.relativeModuleId} > ${test.fullName}: ${seconds(duration)} of ${seconds(timeout)}`,
    );
  }

  onTestRunEnd(): void {
    const near = this.#near.splice(0);
    if (near.length === 0) return;
    process.stdout.write(`\nTests that used more than half of their time:\n  ${near.join('\n  ')}\n`);
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Milliseconds: the test's own, or what its project grants to all. */
function timeoutOf({ id, project }: TestCase): number {
  const task = project.vitest.state.idMap.get(id);
  return task?.type === 'test' ? task.timeout : project.config.testTimeout;
}
