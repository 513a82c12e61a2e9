/** Light, dark, or as the system is. */
import { effect } from '@preact/signals';
import { stored } from './stored.js';

export type Theme = 'auto' | 'light' | 'dark';

export const theme = stored<Theme>('localStorage', 'headgate theme', 'auto');

effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === 'auto') delete dataset.theme;
  else dataset.theme = theme.value;
});
