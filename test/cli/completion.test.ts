/** Completion scripts. That of bash runs in a real bash. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/table/index.js';
import { headgate } from './session.js';

const script = async (shell: string): Promise<string> => (await headgate(['completion', shell])).out;

describe('in bash', () => {
  test.for([
    { words: 'headgate ru', completed: ['rules'] },
    {
      words: 'headgate rules ',
      completed: ['check', 'lint', 'import', 'diff', 'explain', 'try', 'dry-run', '--help'],
    },
    { words: 'headgate rules ch', completed: ['check'] },
    { words: 'headgate rules check --p', completed: ['--plan'] },
    { words: 'headgate dead-letters redeliver x.db --a', completed: ['--all', '--action'] },
    { words: 'headgate rules try rules.json --', completed: ['--body', '--json', '--help'] },
    { words: 'headgate completion ', completed: ['bash', 'zsh', 'fish', '--help'] },
    { words: 'headgate --v', completed: ['--version'] },
  ])('$words is completed by $completed', async ({ words, completed }) => {
    const line = words
      .split(' ')
      .map((word) => `'${word}'`)
      .join(' ');
    const call = `COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _headgate; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['-c', `${await script('bash')}\n${call}`], { encoding: 'utf8' });
    expect(out.trim().split('\n')).toEqual(completed);
  });
});

test.for(['bash', 'zsh', 'fish'])('the script of %s knows every command and every option', async (shell) => {
  const text = await script(shell);
  for (const { spec } of commands) {
    for (const word of spec.name.split(' ')) expect(text).toContain(word);
    for (const option of Object.keys(spec.options)) {
      expect(text).toContain(shell === 'fish' ? `-l ${option} ` : `--${option}`);
    }
  }
});

test('descriptions are quoted for their shell', async () => {
  for (const shell of ['zsh', 'fish']) {
    for (const line of (await script(shell)).split('\n')) {
      expect((line.replaceAll("'\\''", '').match(/'/g) ?? []).length % 2).toBe(0);
    }
  }
});
