/** The bytes that one connection makes the process hold, charged to its project once it has been let in. */
import type { Charge, Ledger } from '../limits/ledger.js';
import { readersOf, strangersAt } from '../limits/memory.js';
import { MAX_HELLO_BYTES } from './protocol.js';

const DOOR = '/projects/{project}/stream';
/** Bytes that every client may have in each direction, such as acknowledgements, however much its project has taken. */
const FREE_BYTES = 16_384;
/** One event counts as this part of all memory at most, so that the largest event still fits. */
const PART_OF_ONE = 1 / 8;

/** One direction of a connection. Made and closed by {@link ConnectionMemory}. */
class Side {
  #charge: Charge | null = null;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Charges the bytes, which were only counted so far. */
  begin(charge: Charge): void {
    this.#charge = charge;
    charge.force(this.#bytes);
  }

  /** Returns false if the project has no room for more bytes; then nothing is taken. */
  take(more: number): boolean {
    const all = this.#bytes + more;
    if (all > FREE_BYTES && this.#charge?.set(all) === false) return false;
    this.add(more);
    return true;
  }

  /** Takes bytes that are there already, or gives bytes back. */
  add(more: number): void {
    this.#bytes += more;
    this.#charge?.force(this.#bytes);
  }

  close(): void {
    this.#charge?.close();
  }
}

/** Made with a connection, and closed with its socket. */
export class ConnectionMemory {
  /** Frames that came, complete or not, until they have been dealt with. */
  readonly incoming = new Side();
  /** Frames that wait in the socket until the system takes them. */
  readonly outgoing = new Side();
  /** The most that one event counts. */
  readonly mostOfOne: number;
  readonly #memory: Ledger;
  readonly #stranger: Charge;
  /** Part of `incoming` that outlives the socket. */
  #kept = 0;
  #isClosed = false;

  constructor(memory: Ledger) {
    this.mostOfOne = memory.limit * PART_OF_ONE;
    this.#memory = memory;
    this.#stranger = memory.open(strangersAt(DOOR));
    // Strangers are bounded in number, so none is refused.
    this.#stranger.force(MAX_HELLO_BYTES);
  }

  /** The client has shown a key of this project. */
  letIn(project: string): void {
    if (this.#isClosed) return;
    this.#stranger.close();
    this.incoming.begin(this.#memory.open(project));
    this.outgoing.begin(this.#memory.open(readersOf(project)));
  }

  /**
   * Takes the bytes of a reply until it has been stored, even if its client goes away before.
   *
   * @returns Gives them back.
   */
  keep(bytes: number): () => void {
    this.#kept += bytes;
    this.incoming.add(bytes);
    return () => {
      this.#kept -= bytes;
      this.incoming.add(-bytes);
      this.#closeIncoming();
    };
  }

  /** Gives everything back but the replies that are being stored. */
  close(): void {
    this.#isClosed = true;
    this.#stranger.close();
    this.outgoing.close();
    this.incoming.add(this.#kept - this.incoming.bytes);
    this.#closeIncoming();
  }

  #closeIncoming(): void {
    if (this.#isClosed && this.#kept === 0) this.incoming.close();
  }
}
