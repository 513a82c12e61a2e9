/**
 * For tests of hosts and of adapters: a clock that stands still, a transport that answers as told, and the contracts of
 * the ports.
 *
 * @module
 */
export type { ContractCase, DeadLettersUnderTest, StoreUnderTest } from './contract.js';
export { deadLettersContract, deliveryStoreContract } from './delivery-store-contract.js';
export { createManualClock, type ManualClock } from './manual-clock.js';
export {
  createScriptedTransport,
  type ScriptedAnswer,
  type ScriptedTransport,
  type SentAttempt,
} from './scripted-transport.js';
