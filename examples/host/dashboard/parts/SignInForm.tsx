/** Signing in by a key: on a page of its own, and in a dialog when a session has ended. */
import { useState } from 'preact/hooks';
import { hasCode, sentenceOf, signIn } from '../data/index.js';
import { Button, TextField } from '../ui/index.js';

export interface SignInFormProps {
  readonly onDone?: () => void;
  /** A sentence shown before the first try. */
  readonly error?: string | null;
}

export function SignInForm({ onDone, error: first = null }: SignInFormProps) {
  const [key, setKey] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState(first);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (key.trim() === '') {
      setError('Paste a key of the project.');
      return;
    }
    setBusy(true);
    try {
      await signIn({ key: key.trim() });
      onDone?.();
    } catch (problem) {
      setError(
        hasCode(problem, 'unauthorized')
          ? 'This key is not valid. Check that you pasted all of it, and that it was not revoked.'
          : sentenceOf(problem),
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="hg-stack" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label="Key"
        type="password"
        name="key"
        code
        autoFocus
        autoComplete="current-password"
        value={key}
        onInput={setKey}
        error={error}
        hint="A key of the project that may read or manage. It is sent once, and is not kept in the browser."
      />
      <Button type="submit" kind="primary" busy={isBusy}>
        Sign in
      </Button>
    </form>
  );
}
