/**
 * For tests of receivers, senders and adapters: signed requests, a recording receiver, a manual clock, a transport with
 * scripted answers, the contracts of receivers and of the ports, arbitraries of rules and events, and the evaluator of
 * rules without an index.
 *
 * @module headgate/testing
 */
export { compileReferenceRules } from './reference-rules.js';
export { createArbitraries } from './arbitraries/index.js';
export type { DeadLettersUnderTest, StoreUnderTest } from './contract.js';
export {
  columnsContract,
  deadLettersContract,
  deletionContract,
  dueDatesContract,
  deliveryStoreContract,
  orderingContract,
  retentionContract,
} from './delivery-store-contract.js';
export { createManualClock, type ManualClock } from './manual-clock.js';
export { receiverContract } from './receiver-contract.js';
export {
  createRecordingReceiver,
  type ReceivedRequest,
  type ReceiverAnswer,
  type RecordingReceiver,
  type RecordingReceiverOptions,
} from './recording-receiver.js';
export {
  createScriptedTransport,
  type ScriptedAnswer,
  type ScriptedTransport,
  type SentAttempt,
} from './scripted-transport.js';
export {
  createSignedRequest,
  type SignedRequest,
  type SignedRequestFault,
  type SignedRequestOptions,
} from './signed-request.js';
