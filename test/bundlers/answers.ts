/** The answers of bundles: what their programs say where they run. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { printed } from '../runtimes/children.js';
import { whileShown } from '../runtimes/chromium.js';

/** Answer by the file or the address of the program. */
export type Answers = Readonly<Record<string, string>>;

/** Asks each program in turn; where it throws, its error is its answer. */
const ASK = `async function ask(addresses) {
  const answers = {};
  for (const address of addresses) {
    globalThis.answer = undefined;
    try {
      await import(address);
      answers[address] = String(await globalThis.answer);
    } catch (error) {
      answers[address] = String(error);
    }
  }
  return answers;
}`;

/** The answers of bundles in one process of Node. */
export async function onNode(files: readonly string[]): Promise<Answers> {
  const addresses = JSON.stringify(files.map((file) => pathToFileURL(file).href));
  const code = `${ASK} console.log(JSON.stringify(Object.values(await ask(${addresses}))))`;
  const output = await printed(process.execPath, ['--no-warnings', '--input-type=module', '--eval', code]);
  const answers = JSON.parse(output) as readonly string[];
  return Object.fromEntries(files.map((file, nth) => [file, answers[nth] ?? '']));
}

/** The answer of each page is the message that it posts to the one which shows it. */
const SHOW = `async function show(pages) {
  const answers = {};
  for (const url of pages) {
    answers[url] = await new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.src = url;
      addEventListener('message', ({ data, source }) => source === frame.contentWindow && resolve(String(data)));
      document.body.append(frame);
    });
  }
  return answers;
}`;

/** Frames are the pages of applications; no code comes from a string. */
const POLICY = `default-src 'none'; script-src 'self'; connect-src 'self'; frame-src http://127.0.0.1:*; base-uri 'none'`;

/** The body of a request, which is answered. */
async function take(request: IncomingMessage, response: ServerResponse): Promise<string> {
  const body = await text(request);
  response.writeHead(204).end();
  return body;
}

/** The answers of bundles and pages in Chromium. */
export async function onPage(
  binary: string,
  files: readonly string[],
  pages: readonly string[],
): Promise<Answers> {
  const addresses = JSON.stringify(files.map((_, nth) => `/${nth}.js`));
  const script = `${ASK} ${SHOW} const answers = { ...(await ask(${addresses})), ...(await show(${JSON.stringify(pages)})) };
    await fetch('/answers', { method: 'POST', body: JSON.stringify(answers) });`;
  let tell: (json: string) => void = () => undefined;
  const told = new Promise<string>((resolve) => (tell = resolve));
  const server = createServer((request, response) => {
    const { url = '' } = request;
    const file = files[Number(/^\/(\d+)\.js$/.exec(url)?.[1])];
    if (url === '/answers') {
      void take(request, response).then(tell);
    } else if (file !== undefined || url === '/main.js') {
      const headers = { 'Content-Type': 'text/javascript' };
      response.writeHead(200, headers).end(file === undefined ? script : readFileSync(file));
    } else {
      const page =
        '<!doctype html><title>Bundles</title><body><script type="module" src="/main.js"></script>';
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': POLICY }).end(page);
    }
  });
  const answers = JSON.parse(await whileShown(binary, server, () => told)) as Answers;
  return {
    ...answers,
    ...Object.fromEntries(files.map((file, nth) => [file, answers[`/${nth}.js`] ?? ''])),
  };
}
