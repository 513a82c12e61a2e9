/** Events of one kilobyte and of ten, and twenty rules of which a few match. */
import type { Rule } from 'headgate';

const bodyOf = (labels: number, characters: number): string =>
  JSON.stringify({
    action: 'opened',
    number: 42,
    repository: { full_name: 'acme/shop', private: true, language: 'TypeScript', stargazers_count: 1_234 },
    sender: { login: 'octo', type: 'User', site_admin: false },
    labels: Array.from({ length: labels }, (_, i) => ({ id: i, name: `label-${i}`, color: 'ff0000' })),
    title: 'An order that was paid twice',
    body: 'x'.repeat(characters),
  });

export const BODY = bodyOf(6, 500);
export const BODY_OF_10_KB = bodyOf(100, 4_900);
const RULE = { stage: 'deliver', description: 'a rule of the bench' } as const;

export const RULES: readonly Rule[] = Array.from({ length: 20 }, (_, i): Rule => {
  const id = `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`;
  const common = { ...RULE, id, name: `rule ${i}`, priority: i };
  if (i % 5 === 0) {
    const match = { path: 'data.body.action', op: 'eq', value: i === 0 ? 'opened' : `other-${i}` } as const;
    return { ...common, match, action: { type: 'tag', tags: [`tag-${i}`] } };
  }
  if (i % 5 === 1) {
    const match = { path: 'data.body.title', op: 'matches', value: `(?i)order ${i}|paid ${i}` } as const;
    return { ...common, match, action: { type: 'drop' } };
  }
  const match = {
    all: [
      { path: 'data.body.repository.full_name', op: 'starts_with', value: `acme-${i}/` },
      { path: 'data.body.number', op: 'gt', value: i },
    ],
  } as const;
  return { ...common, match, action: { type: 'tag', tags: ['t'] } };
});

/** A mebibyte, in which a text is on which every pattern below works as long as it may. */
export const HOSTILE_BODY = JSON.stringify({
  text: Array.from({ length: 8_192 }, (_, i) => ((i * 7_919) % 13 < 6 ? 'a' : 'b')).join(''),
  filler: 'x'.repeat(1_030_000),
});

/** Rules that spend their budgets. */
export const HOSTILE_RULES: readonly Rule[] = Array.from({ length: 25 }, (_, i) => ({
  ...{
    ...RULE,
    id: `00000000-0000-7000-8001-${String(i).padStart(12, '0')}`,
    name: `hostile ${i}`,
    priority: i,
  },
  match: {
    any: Array.from({ length: 50 }, (__, n) => ({
      path: 'data.body.text',
      op: 'matches' as const,
      value: `[ab]*a[ab]{${150 + 15 * n}}[^ab].`,
    })),
  },
  action: { type: 'tag', tags: ['hostile'] },
}));
