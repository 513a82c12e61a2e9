/** Events of one kilobyte, and twenty rules of which a few match. */
import type { Rule } from 'headgate';

export const BODY = JSON.stringify({
  action: 'opened',
  number: 42,
  repository: { full_name: 'acme/shop', private: true, language: 'TypeScript', stargazers_count: 1_234 },
  sender: { login: 'octo', type: 'User', site_admin: false },
  labels: Array.from({ length: 6 }, (_, i) => ({ id: i, name: `label-${i}`, color: 'ff0000' })),
  title: 'An order that was paid twice',
  body: 'x'.repeat(500),
});

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
