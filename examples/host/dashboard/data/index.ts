/** The data of the pages: the API and its session, resources, the live tail, the address, and browser storage. */
export { type Address, searchOf, useAddress } from './address.js';
export {
  api,
  ApiError,
  apiThrough,
  findSession,
  openPortal,
  type Input,
  type Output,
  signIn,
  signOut,
  takeToken,
  textOf,
  versionOf,
} from './api.js';
export { type Command, commands, useCommands } from './commands.js';
export { type Draft, useDraft } from './drafts.js';
export { EVENTS_PAGE } from './early.js';
export { liveness, useLive, useLiveTail } from './live.js';
export type { Liveness, LiveNews } from './live-state.js';
export { lost, online } from './online.js';
export { forgetResources, keep, keptValue, type Resource, type State, useResource } from './resource.js';
export { type SavedView, useSavedViews } from './saved-views.js';
export { GUIDE, OVERVIEW } from './guide.js';
export { isReturning } from './returning.js';
export { isPortal, ROOT } from './root.js';
export { hasCode, sentenceOf } from './sentence.js';
export { currentProject, mayManage, type Session, sessionLeft, sessionState } from './session.js';
export type { EventItem } from './tail.js';
export { type Theme, theme } from './theme.js';
