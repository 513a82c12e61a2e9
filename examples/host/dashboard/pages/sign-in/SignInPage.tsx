/** Signing in: by a key, or by the link that the service prints once, which has its token in the fragment. */
import { useLocation } from 'preact-iso';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { hasCode, sentenceOf, sessionState, signIn, takeToken } from '../../data/index.js';
import { SignInForm } from '../../parts/SignInForm.js';
import { Notice, SkeletonRows } from '../../ui/index.js';
import './SignInPage.css';

/** Only to the pages: an address of elsewhere in a link must not be followed. */
const addressAfter = (to: string | undefined): string =>
  to !== undefined && /^\/dashboard(?:[/?]|$)/.test(to) ? to : '/dashboard/';

export default function SignInPage() {
  const { query, route } = useLocation();
  const token = useMemo(takeToken, []);
  const [error, setError] = useState<string | null>(null);
  const [isTrying, setTrying] = useState(token !== null);
  const isIn = sessionState.value.status === 'in';

  useEffect(() => {
    document.title = 'Sign in · Headgate';
    if (token === null) return;
    signIn({ token })
      .catch((problem: unknown) =>
        setError(
          hasCode(problem, 'unauthorized')
            ? 'This link was used before, or it is older than an hour. Sign in with a key.'
            : sentenceOf(problem),
        ),
      )
      .finally(() => setTrying(false));
  }, [token]);
  useEffect(() => {
    if (isIn && !isTrying) route(addressAfter(query.to), true);
  }, [isIn, isTrying, query.to, route]);

  return (
    <main class="hg-sign-in">
      <div class="hg-sign-in__head">
        <img src="/dashboard/icon.svg" alt="" width="32" height="32" />
        <h1>Sign in to Headgate</h1>
      </div>
      {'deleted' in query && !isIn && (
        <Notice tone="good">The project was deleted. Sign in with a key of another project to go on.</Notice>
      )}
      {isTrying || isIn ? <SkeletonRows rows={2} height={48} /> : <SignInForm key={error} error={error} />}
      {!isTrying && !isIn && (
        <p class="hg-soft hg-small">
          A service that starts for the first time prints a link that signs in once. Keys are made on the page
          Project, or by the API.
        </p>
      )}
    </main>
  );
}
