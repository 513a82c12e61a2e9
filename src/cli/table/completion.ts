/** The command that prints completion scripts. */
import type { Spec } from './spec.js';

export const completionSpec = {
  name: 'completion',
  summary: 'Print a script that completes commands and options in a shell',
  details: ['Completes commands and options, and file names where a file is expected.'],
  args: { SHELL: { choices: ['bash', 'zsh', 'fish'], description: 'bash, zsh or fish' } },
  options: {},
  examples: [
    { shows: 'bash, in ~/.bashrc', command: 'eval "$(headgate completion bash)"' },
    { shows: 'zsh, in ~/.zshrc after compinit', command: 'eval "$(headgate completion zsh)"' },
    { shows: 'fish, once', command: 'headgate completion fish > ~/.config/fish/completions/headgate.fish' },
  ],
} as const satisfies Spec;
