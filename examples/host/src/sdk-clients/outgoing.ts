/** Frames on their way to a client, which count until the system has taken them. */
import type { WebSocket } from 'ws';
import type { ConnectionMemory } from './connection-memory.js';
import { SILENCE_MS } from './protocol.js';

/** Bytes that may wait in the socket; beyond it the log is not read on. */
const MAX_WAITING_BYTES = 1_048_576;
/** Answers that may wait in the socket; beyond it nothing more is read from the client. */
const MAX_ANSWERS = 64;
/** Bytes that a waiting frame takes besides its text. */
const BYTES_OF_FRAME = 256;

/** The part of a connection that its outgoing frames need. */
export interface OutgoingParts {
  readonly now: () => number;
  readonly held: ConnectionMemory;
  /** Called whenever the system has taken a frame. */
  readonly moved: () => void;
  /** Called when there is room for answers again. */
  readonly hasRoomAgain: () => void;
}

/** Made with a connection, and gone with it. */
export class Outgoing {
  readonly #socket: WebSocket;
  readonly #parts: OutgoingParts;
  #waiting = 0;
  #answers = 0;
  /** When the system last took a frame, or when frames began to wait. */
  #movedAt = 0;

  constructor(socket: WebSocket, parts: OutgoingParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  get hasRoomForLog(): boolean {
    return this.#waiting <= MAX_WAITING_BYTES;
  }

  get hasRoomForAnswers(): boolean {
    return this.#answers < MAX_ANSWERS;
  }

  /** True if the client has taken nothing for too long. */
  isStalled(at: number): boolean {
    return this.#waiting > 0 && at - this.#movedAt >= SILENCE_MS;
  }

  /** Sends an entry of the log; false if the project has no room for it. */
  sendEntry(text: string): boolean {
    const { outgoing, mostOfOne } = this.#parts.held;
    const bytes = Math.min(bytesOf(text), mostOfOne);
    if (!outgoing.take(bytes)) return false;
    this.#send(text, bytes, () => undefined);
    return true;
  }

  /** Sends a frame that is small, and that the client needs in any case. */
  sendAnswer(text: string): void {
    const bytes = bytesOf(text);
    this.#parts.held.outgoing.add(bytes);
    this.#answers++;
    this.#send(text, bytes, () => {
      if (this.#answers-- === MAX_ANSWERS) this.#parts.hasRoomAgain();
    });
  }

  #send(text: string, bytes: number, taken: () => void): void {
    const { now, held, moved } = this.#parts;
    if (this.#waiting === 0) this.#movedAt = now();
    this.#waiting += bytes;
    this.#socket.send(text, () => {
      this.#waiting -= bytes;
      this.#movedAt = now();
      held.outgoing.add(-bytes);
      taken();
      moved();
    });
  }
}

const bytesOf = (text: string): number => Buffer.byteLength(text) + BYTES_OF_FRAME;
