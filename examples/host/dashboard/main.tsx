/** Begins: finds out who is signed in, and shows the page of the address. */
import { render } from 'preact';
import { App, preload } from './app.js';
import { findSession, isPortal, openPortal, ROOT, takeToken } from './data/index.js';
import './ui/visible-texts.js';

const { pathname, search } = location;
const token = isPortal ? takeToken() : null;
if (token === null) void findSession(pathname === `${ROOT}/events` && search === '');
else void openPortal(token);
preload(pathname);
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
