/** A process that does what its parent tells it to: sends events, or receives deliveries. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendAll, sendPaced } from './load.js';
import { BODY } from './workload.js';

/** The tasks of the process. */
export type Task =
  | { readonly send: string; readonly count: number; readonly connections: number }
  | { readonly send: string; readonly rate: number; readonly seconds: number }
  | { readonly receive: true }
  | { readonly received: true };

async function work(task: Task): Promise<unknown> {
  if ('receive' in task) return receive();
  if ('received' in task) return received;
  return 'rate' in task
    ? sendPaced(task.send, [BODY], { ...task, warmMs: 1_000 })
    : sendAll(task.send, BODY, task);
}

let received = 0;

/** Answers 204 at once; the answer is its URL. */
function receive(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received++;
      response.writeHead(204).end();
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`),
    );
  });
}

process.on('message', (task: Task) => void work(task).then((answer) => process.send?.(answer)));
