/**
 * For tests of receivers, senders and adapters: signed requests, a recording receiver, a manual clock, a transport with scripted
 * answers, the contracts of receivers and of the ports, arbitraries of rules and events, and the evaluator of rules without an
 * index.
 *
 * @module
 */
export { HeadgateError, OptionError, type OptionErrorCode } from '../errors.js';
export { RuleError, type RuleIssueCode, type RuleSetIssue } from '../rules/issues/index.js';
export { compileReferenceRules } from './reference-rules.js';
export type { RuleEvaluator } from '../rules/rule-evaluator.js';
export {
  createArbitraries,
  type Arbitraries,
  type Arbitrary,
  type ArbitraryOptions,
  type Encounter,
  type EncounterConstraints,
  type FastCheck,
  type RulesConstraints,
} from './arbitraries/index.js';
export type {
  ContractCase,
  DeadLettersUnderTest,
  DeletionUnderTest,
  DueDatesUnderTest,
  OrderingUnderTest,
  RetentionUnderTest,
  StoreUnderTest,
} from './contract.js';
export type { ColumnsOptions } from './columns-contract.js';
export {
  columnsContract,
  deadLettersContract,
  deletionContract,
  dueDatesContract,
  deliveryStoreContract,
  orderingContract,
  retentionContract,
} from './delivery-store-contract.js';
export type { VerifiedDelivery } from '../signing/reader.js';
export { SignatureError, type SignatureErrorCode } from '../signing/signature-error.js';
export { createManualClock, type ManualClock } from './manual-clock.js';
export { receiverContract, type ReceiverUnderTest } from './receiver-contract.js';
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
