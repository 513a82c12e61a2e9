/** A process that sends requests over 64 connections, and tells its parent how long they took. */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { BODY } from './workload.js';

const [port, count] = process.argv.slice(2).map(Number) as [number, number];
const REQUEST = `POST /in/address HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`;

let [sent, answered] = [0, 0];
const times: number[] = [];
const began = performance.now();

for (let i = 0; i < 64; i++) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  let sentAt = 0;
  let text = '';
  const next = (): void => {
    if (sent >= count) return void socket.end();
    sent++;
    sentAt = performance.now();
    socket.write(REQUEST);
  };
  socket.setEncoding('latin1');
  socket.on('connect', next);
  socket.on('data', (chunk: string) => {
    text += chunk;
    const end = text.indexOf('\r\n\r\n');
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    const isDone =
      length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length);
    if (end < 0 || !isDone) return;
    if (!text.startsWith('HTTP/1.1 202')) throw new Error(text);
    text = '';
    times.push(performance.now() - sentAt);
    answered++;
    if (answered === count) done();
    next();
  });
}

function done(): void {
  times.sort((a, b) => a - b);
  process.send?.({ ms: performance.now() - began, p99: times[Math.floor(times.length * 0.99)] }, () =>
    process.exit(0),
  );
}
