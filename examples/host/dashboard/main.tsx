/** Begins: finds out who is signed in, and shows the page of the address. */
import { render } from 'preact';
import { App, preload } from './app.js';
import { findSession } from './data/index.js';
import './ui/visible-texts.js';

const { pathname, search } = location;
void findSession(pathname === '/dashboard/events' && search === '');
preload(pathname);
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
