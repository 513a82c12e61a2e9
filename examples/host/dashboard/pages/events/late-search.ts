/** Parts that a search of payloads needs beside the list of events: one file, which is loaded with the first search. */
export { readingStreams } from '../../parts/event-stream.js';
export { SearchBar } from './SearchBar.js';
