/** How the receivers of the table are built. */
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import {
  type Answer,
  drip,
  openRawReceiver,
  openReceiver,
  openSecureReceiver,
  type Receiver,
} from './receivers.js';

/** A set of receivers that are closed together. */
export interface Site {
  /** Milliseconds between the pieces of what comes piece by piece. */
  readonly paceMs: number;
  /** The target of redirects. */
  readonly trapUrl: string;
  /** Takes a receiver into its care. */
  keep(opening: Promise<Receiver>): Promise<Receiver>;
}

/** Builds a receiver and gives the URL to send to. */
export type Build = (site: Site) => Promise<string>;

/** Answers each request by plain HTTP. */
export const plain =
  (answer: Answer): Build =>
  async (site) =>
    (await site.keep(openReceiver(answer))).url;

/** Answers each request over TLS. */
export const secure =
  (options: TlsOptions, answer: Answer): Build =>
  async (site) =>
    (await site.keep(openSecureReceiver(answer, options))).url;

/** Treats the bare connection, before anything was asked. */
export const raw =
  (scheme: 'http' | 'https', connected: (socket: Socket) => void): Build =>
  async (site) =>
    (await site.keep(openRawReceiver(connected, scheme))).url;

/** Writes `first` and then `piece` without end, one every {@link Site.paceMs}. */
export const dripping =
  (first: string, piece: string): Build =>
  (site) =>
    plain((socket) => {
      socket.write(first);
      drip(socket, site.paceMs, piece);
    })(site);

/** Writes a text a byte at a time, as fast as that goes. */
export const bytewise = (text: string): Build =>
  plain((socket) => {
    const bytes = [...Buffer.from(text)];
    socket.setNoDelay(true);
    const timer = setInterval(() => {
      const byte = bytes.shift();
      if (byte === undefined) clearInterval(timer);
      else socket.write(Buffer.of(byte));
    }, 1);
    socket.on('close', () => clearInterval(timer));
  });

/** The same receiver, called by another name, scheme or both. */
export const called =
  (by: { readonly name?: string; readonly scheme?: 'http' | 'https' }, build: Build): Build =>
  async (site) => {
    const { hostname, port, pathname } = new URL(await build(site));
    return `${by.scheme ?? 'http'}://${by.name ?? hostname}:${port}${pathname}`;
  };

/** No receiver at all. */
export const nobodyAt =
  (url: string): Build =>
  () =>
    Promise.resolve(url);
