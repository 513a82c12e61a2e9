/** `headgate rules`: every problem with its position, and decisions about events. */
import { describe, expect, test } from 'vitest';
import { headgate, NOW, objectsIn } from './session.js';

const drop = {
  name: 'Drop pings',
  stage: 'deliver',
  priority: 1,
  match: { path: 'type', op: 'eq', value: 'ping' },
  action: { type: 'drop' },
};
const tag = {
  name: 'Tag',
  stage: 'deliver',
  priority: 2,
  match: {
    all: [
      { path: 'data.amount', op: 'gt', value: 5 },
      { path: 'data.card', op: 'exists' },
    ],
  },
  action: { type: 'tag', tags: ['big'] },
};
const hide = {
  name: 'Hide',
  stage: 'deliver',
  priority: 3,
  match: { path: 'data.card', op: 'exists' },
  action: { type: 'transform', ops: [{ op: 'redact', path: 'data.card', regex: '\\d{4}', replace: '****' }] },
};
const route = {
  name: 'Route',
  stage: 'deliver',
  priority: 4,
  match: { path: 'type', op: 'eq', value: 'pay' },
  action: { type: 'route_only', endpoint_ids: ['6f1d7f5e-4c0b-4d0e-9a54-0d2f3f1f8a11'] },
};
const rules = JSON.stringify([drop, tag, hide, route]);
const ping = { id: 'evt_1', type: 'ping', data: {}, received_at: '2026-01-31T11:00:00Z' };
const pay = {
  id: 'evt_2',
  type: 'pay',
  data: { amount: 10, card: '4242 1111' },
  received_at: '2026-01-31T10:00:00Z',
};
const EVENTS = `${JSON.stringify(ping)}\n${JSON.stringify(pay)}\n`;
const files = { 'rules.json': rules, 'events.ndjson': EVENTS };

describe('headgate rules check', () => {
  test.for([
    { text: rules, says: '' },
    { text: `\ufeff${JSON.stringify(drop)}`, says: '' },
    { text: '', says: '1:1: error: this is not JSON: it ends too early; give a value [invalid_json]' },
    {
      text: '[\n  {"name": 1,}\n]',
      says: '2:14: error: this is not JSON: give a name in double quotes [invalid_json]',
    },
    { text: '{"rules": []}', says: '1:1: error: this object keeps its rules under "rules"' },
    { text: '7', says: '1:1: error: a file of rules holds one rule object or an array' },
    { text: '[\n 7]', says: '2:2: error: rule 1: a rule must be an object' },
    {
      text: `[${JSON.stringify(drop)},\n${JSON.stringify({ ...tag, priority: 'x' })}]`,
      says: '2:44: error: rule 2 "Tag": priority',
    },
    { text: JSON.stringify({ ...drop, color: 1 }, null, 1), says: '13:2: error: rule 1 "Drop pings": ' },
    {
      text: JSON.stringify({ ...drop, match: undefined }),
      says: '1:1: error: rule 1 "Drop pings": match is missing',
    },
    { text: JSON.stringify({ ...drop, id: 5 }), says: '[invalid_type]' },
    {
      text: JSON.stringify([
        { ...drop, id: 'a' },
        { ...tag, id: 'a' },
      ]),
      says: 'rule 2 "Tag": another rule of the file has this id [duplicate_id]',
    },
    {
      text: JSON.stringify({ ...drop, name: 'a\u001b[2Jb' + 'c'.repeat(201) }),
      says: 'rule 1 "a\\u001b[2Jb',
    },
  ])('of $text says "$says"', async ({ text, says }) => {
    const { code, out, err } = await headgate(['rules', 'check', 'rules.json'], {
      files: { 'rules.json': text },
    });
    expect(code).toBe(says === '' ? 0 : 1);
    expect(out).toContain(says === '' ? '' : says);
    expect(err).toMatch(says === '' ? /no problems/ : /\d problems?, \d valid/);
  });

  test('reports all problems of all rules, in JSON too, and from standard input', async () => {
    const text = JSON.stringify([
      { ...drop, match: { path: 'a..b', op: 'like', value: 1 } },
      drop,
      { ...hide, action: { type: 'drop', ops: [] } },
    ]);
    const { code, out } = await headgate(['rules', 'check', '-', '--json'], { stdin: text });
    expect(code).toBe(1);
    const found = objectsIn(out) as { code: string; rule: number; line: number; column: number }[];
    expect(found.map(({ code, rule }) => `${rule} ${code}`)).toEqual([
      '1 unknown_operator',
      '1 invalid_path',
      '3 unknown_key',
    ]);
    for (const { line, column } of found) expect(text.slice(column - 1)).toMatch(line === 1 ? /^"/ : /never/);
  });

  test('holds a file to the plan', async () => {
    const { code, out } = await headgate(['rules', 'check', 'rules.json', '--plan', 'hobby'], { files });
    expect(code).toBe(1);
    expect(out.match(/quota_exceeded/g)).toHaveLength(3);
  });

  test('of a tree a hundred thousand groups deep tells the position of the leaf', async () => {
    const depth = 100_000;
    const match = `${'{"all":[\n'.repeat(depth)}{"path":"a","op":"eq"}${']}'.repeat(depth)}`;
    const text = `{"name":"Deep","stage":"deliver","priority":1,"action":{"type":"drop"},"match":${match}}`;
    const { code, out } = await headgate(['rules', 'check', '-'], { stdin: text });
    expect(code).toBe(1);
    expect(out).toMatch(new RegExp(`^standard input:${depth + 1}:1: error: rule 1 "Deep": value is missing`));
  });

  test('of a file that is too large says so', async () => {
    const { code, out } = await headgate(['rules', 'check', '-'], { stdin: ' '.repeat(11_000_000) });
    expect(code).toBe(1);
    expect(out).toContain('[file_too_large]');
  });
});

describe('headgate rules lint', () => {
  const behind = { ...tag, name: 'Behind', match: { all: [drop.match, { path: 'data.a', op: 'exists' }] } };

  test('warns with the position, and with the positions that belong to it', async () => {
    const text = `[${JSON.stringify(drop)},\n${JSON.stringify(behind)}]`;
    const { code, out, err } = await headgate(['rules', 'lint', '-'], { stdin: text });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^standard input:2:\d+: warning: rule 2 "Behind": never applied.*\[behind_drop\]\nstandard input:1:\d+: and rule 1\n$/,
    );
    expect(err).toContain('0 problems, 1 warning, 2 valid rules');
  });

  test('reports problems as well, and lints the other rules', async () => {
    const { code, out } = await headgate(['rules', 'lint', '-', '--json'], {
      stdin: JSON.stringify([drop, {}, behind]),
    });
    expect(code).toBe(1);
    expect(objectsIn(out)).toContainEqual(expect.objectContaining({ severity: 'error', rule: 2 }));
    expect(objectsIn(out)).toContainEqual(
      expect.objectContaining({
        severity: 'warning',
        rule: 3,
        related: [expect.objectContaining({ rule: 1 })],
      }),
    );
  });

  test('warns of a key that stands twice, of which the first would be lost without a word', async () => {
    const text = `[${JSON.stringify(drop)},\n${JSON.stringify(tag).replace('"op":"gt"', '"op":"lt","\\u006fp":"gt"')}]`;
    const { code, out } = await headgate(['rules', 'lint', '-'], { stdin: text });
    expect(code).toBe(1);
    const column = (text.split('\n')[1] ?? '').indexOf('"\\u006fp"') + 1;
    expect(out).toBe(
      `standard input:2:${column}: warning: rule 2 "Tag": the key "op" occurs twice in one object, and the last one counts; remove one [repeated_key]\n`,
    );
  });

  test('is silent about rules that are fine', async () => {
    const { code, out } = await headgate(['rules', 'lint', 'rules.json'], { files });
    expect({ code, out }).toEqual({ code: 0, out: '' });
  });
});

describe('headgate rules try', () => {
  test('prints decisions as a table', async () => {
    const { code, out, err } = await headgate(['rules', 'try', 'rules.json', 'events.ndjson'], { files });
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'EVENT  TYPE  OUTCOME  RULES             TAGS ADDED  ENDPOINTS                             CHANGED',
      'evt_1  ping  drop     Drop pings',
      'evt_2  pay   deliver  Tag, Hide, Route  big         6f1d7f5e-4c0b-4d0e-9a54-0d2f3f1f8a11  data.card',
      '',
    ]);
    expect(err).toBe('2 events: 1 delivered, 1 dropped\n');
  });

  test.for([
    { form: 'an array', stdin: JSON.stringify([ping, pay]) },
    {
      form: 'documents over lines',
      stdin: `${JSON.stringify(ping, null, 2)}\n${JSON.stringify(pay, null, 2)}`,
    },
  ])('prints decisions as JSON about $form', async ({ stdin }) => {
    const { code, out } = await headgate(['rules', 'try', 'rules.json', '--json'], { files, stdin });
    expect(code).toBe(0);
    expect(objectsIn(out)).toEqual([
      expect.objectContaining({
        id: 'evt_1',
        outcome: 'drop',
        dropped_by: { id: 'rule-0000001', name: 'Drop pings' },
        diff: [],
      }),
      expect.objectContaining({
        id: 'evt_2',
        outcome: 'deliver',
        dropped_by: null,
        tags: ['big'],
        endpoint_ids: ['6f1d7f5e-4c0b-4d0e-9a54-0d2f3f1f8a11'],
        diff: [{ path: 'data.card', before: '4242 1111', after: '**** ****' }],
      }),
    ]);
  });

  test('decides the other events if a line is not an event, and exits with 1', async () => {
    const stdin = `${JSON.stringify(ping)}\n{"id":\n${JSON.stringify(pay)}\n`;
    const { code, out, err } = await headgate(['rules', 'try', 'rules.json', '-', '--json'], {
      files,
      stdin,
    });
    expect(code).toBe(1);
    expect(objectsIn(out)).toHaveLength(2);
    expect(err).toContain('standard input:2:7: error: this is not JSON: it ends too early');
    expect(err).toContain('2 events, 1 problem: 1 delivered, 1 dropped');
  });

  test.for(['try', 'explain', 'dry-run'])(
    '%s refuses an object that is not an event, and takes it with --body',
    async (name) => {
      const pull = '{"action":"opened","number":7}';
      const rule = {
        ...{ name: 'Drop 7', stage: 'deliver', priority: 1, action: { type: 'drop' } },
        match: { path: 'data.body.number', op: 'eq', value: 7 },
      };
      const around = { files: { 'rule.json': JSON.stringify(rule), 'pull.json': pull } };
      const refused = await headgate(['rules', name, 'rule.json', 'pull.json', '--json'], around);
      expect(refused.code).toBe(1);
      expect(refused.err).toContain(
        'pull.json:1:1: error: this object is not an event: it has no "data" object',
      );
      expect(refused.err).toContain('give --body');
      const taken = await headgate(['rules', name, 'rule.json', 'pull.json', '--json', '--body'], around);
      expect(taken).toMatchObject({ code: 0 });
      expect(objectsIn(taken.out)).toMatchObject([
        { try: { outcome: 'drop' }, explain: { matched: true }, 'dry-run': { matched: 1 } }[name]!,
      ]);
    },
  );

  test('decides nothing by rules with problems', async () => {
    const { code, out, err } = await headgate(['rules', 'try', '-', 'events.ndjson'], {
      files,
      stdin: '[{}]',
    });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('[missing_key]');
  });

  test('obeys ids, priorities and what is not enabled, as a service does', async () => {
    const stdin = JSON.stringify(ping);
    const run = async (list: readonly object[]): Promise<unknown> => {
      const { out } = await headgate(['rules', 'try', 'r.json', '--json'], {
        files: { 'r.json': JSON.stringify(list) },
        stdin,
      });
      return objectsIn(out)[0];
    };
    const [a, b] = [
      { ...drop, id: 'a' },
      { ...drop, name: 'Other', id: 'b' },
    ];
    expect(await run([b, a])).toMatchObject({ dropped_by: { id: 'a' } });
    expect(await run([{ ...drop, name: 'First' }, drop])).toMatchObject({ dropped_by: { name: 'First' } });
    expect(await run([{ ...a, enabled: false }])).toMatchObject({ outcome: 'deliver' });
    expect(await run([{ ...drop, enabled: false }])).toMatchObject({ outcome: 'deliver' });
  });

  test('no event can steer the terminal', async () => {
    const stdin = JSON.stringify({
      id: '\u001b]0;owned\u0007',
      type: 'a\nb\u202e',
      data: {},
      tags: ['\u009b2J'],
    });
    for (const json of [[], ['--json']]) {
      const { out } = await headgate(['rules', 'try', 'rules.json', ...json], {
        files,
        stdin,
        isTerminal: true,
        env: { NO_COLOR: '1' },
      });
      expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    }
  });

  test('stops quietly, and reads no further, when nobody reads its output', async () => {
    let chunks = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; ; chunks++) {
        yield new TextEncoder().encode(EVENTS);
        await Promise.resolve();
      }
    }
    const { code, err } = await headgate(['rules', 'try', 'rules.json', '--json'], {
      files,
      stdin: endless(),
      reads: 10,
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(chunks).toBeLessThan(20);
  });

  test('tells on a terminal how far it has come, where its data goes elsewhere', async () => {
    let now = NOW;
    const stdin = EVENTS.repeat(50);
    const shown: string[] = [];
    const { err } = await headgate(['rules', 'dry-run', 'rules.json', '--rule', 'Tag'], {
      files,
      stdin,
      isTerminal: true,
      now: () => (now += 10),
      onText: (text) => shown.push(text),
    });
    expect(err).toMatch(new RegExp(`\r\u001b\\[K\\d+ events …`));
    expect(err.lastIndexOf('\r\u001b[K')).toBeGreaterThan(err.lastIndexOf('…'));
    const quiet = await headgate(['rules', 'dry-run', 'rules.json', '--rule', 'Tag'], {
      files,
      stdin,
      now: () => (now += 10),
    });
    expect(quiet.err).toBe('');
  });
});

describe('headgate rules explain', () => {
  test('tells leaf by leaf why a rule matches or not', async () => {
    const { code, out } = await headgate(['rules', 'explain', 'rules.json', 'events.ndjson', '--rule', '2'], {
      files,
    });
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'evt_1 ping',
      '  rule 2 "Tag" does not match',
      '    does not hold  data.amount gt 5  (there is no such path)',
      '    not tried      data.card exists',
      'evt_2 pay',
      '  rule 2 "Tag" matches',
      '    holds          data.amount gt 5  (it is 10)',
      '    holds          data.card exists  (it is "4242 1111")',
      '',
    ]);
  });

  test('prints JSON with the trace of each rule', async () => {
    const { out } = await headgate(['rules', 'explain', 'rules.json', '-', '--json'], {
      files,
      stdin: JSON.stringify(pay),
    });
    const found = objectsIn(out);
    expect(found).toHaveLength(4);
    expect(found[1]).toMatchObject({
      id: 'evt_2',
      rule: 2,
      name: 'Tag',
      matched: true,
      leaves: [{ pointer: '/all/0', result: 'held', actual: 10 }, {}],
    });
  });

  test('without events tells how each rule is found', async () => {
    const { code, out } = await headgate(['rules', 'explain', 'rules.json'], { files });
    expect(code).toBe(0);
    expect(out).toContain('rule 1 "Drop pings"\n  found by value: type eq "ping"');
    const inJson = await headgate(['rules', 'explain', 'rules.json', '--json', '--rule', 'Hide'], { files });
    expect(objectsIn(inJson.out)).toEqual([
      expect.objectContaining({ rule: 3, name: 'Hide', tried: 'when_found' }),
    ]);
  });

  test('of a rule that is not there says which there are', async () => {
    const { code, err } = await headgate(['rules', 'explain', 'rules.json', '--rule', 'Tga'], { files });
    expect(code).toBe(2);
    expect(err).toContain('--rule "Tga" means no rule of rules.json: give one of 1 "Drop pings", 2 "Tag"');
  });
});

describe('headgate rules dry-run', () => {
  const run = (...args: readonly string[]) =>
    headgate(['rules', 'dry-run', 'rules.json', 'events.ndjson', ...args], { files });

  test.for([
    { rule: 'Drop pings', effect: 'evt_1  ping  dropped' },
    { rule: 'Tag', effect: 'evt_2  pay   adds big' },
    { rule: 'Hide', effect: 'evt_2  pay   changes data.card' },
    { rule: 'Route', effect: 'evt_2  pay   only to 6f1d7f5e-4c0b-4d0e-9a54-0d2f3f1f8a11' },
  ])('of $rule shows: $effect', async ({ rule, effect }) => {
    const { code, out } = await run('--rule', rule);
    expect(code).toBe(0);
    expect(out).toContain('1 of 2 events in the window matches');
    expect(out).toContain(effect);
  });

  test('prints the report as JSON', async () => {
    const { out } = await run('--rule', '1', '--json');
    expect(objectsIn(out)).toEqual([
      expect.objectContaining({
        matched: 1,
        scanned: 2,
        byAction: { drop: 1 },
        samples: [expect.objectContaining({ id: 'evt_1' })],
      }),
    ]);
  });

  test('where no event is in the window, says when the newest was received', async () => {
    const { code, out, err } = await run('--rule', '1', '--now', '2026-03-01');
    expect(code).toBe(0);
    expect(out).toContain('0 of 0 events');
    expect(err).toContain('the newest was received at 2026-01-31T11:00:00Z; give --now 2026-01-31T11:00:00Z');
  });

  test('asks which rule, where there are several', async () => {
    const { code, err } = await run();
    expect(code).toBe(2);
    expect(err).toContain('rules.json has 4 rules, and a dry-run tries one: give --rule');
  });
});

describe('headgate rules diff', () => {
  const narrower = {
    ...tag,
    match: { all: [{ path: 'data.amount', op: 'gte', value: 5 }, tag.match.all[1]] },
  };
  const before = JSON.stringify([drop, tag]);

  test('prints an event, both decisions and the leaf', async () => {
    const files = { 'a.json': before, 'b.json': JSON.stringify([drop, narrower]) };
    const { code, out } = await headgate(['rules', 'diff', 'a.json', 'b.json'], { files });
    expect(out.split('\n')).toEqual([
      'this event is decided differently',
      '  {"id":"evt_1","type":"webhook.received","data":{"amount":5,"card":0}}',
      'before  delivered to every endpoint',
      'after   delivered to every endpoint, tagged big',
      'because rule 2 "Tag" of a.json, by data.amount gt 5  /match/all/0',
      '',
    ]);
    expect(code).toBe(1);
  });

  test('says that no event does, whatever the order in the file', async () => {
    const files = { 'a.json': before, 'b.json': JSON.stringify([tag, drop]) };
    const { code, out, err } = await headgate(['rules', 'diff', 'a.json', 'b.json'], { files });
    expect([code, out, err]).toEqual([0, '', 'every event is decided alike\n']);
  });

  test('prints an action, a route and a change', async () => {
    const other = {
      ...route,
      action: { ...route.action, endpoint_ids: ['6f1d7f5e-4c0b-4d0e-9a54-0d2f3f1f8a12'] },
    };
    const routes = await headgate(['rules', 'diff', 'a.json', 'b.json'], {
      files: { 'a.json': JSON.stringify(route), 'b.json': JSON.stringify(other) },
    });
    expect(routes.out).toContain('before  delivered to 6f1d7f5e-4c0b-4d0e-9a54-0d2f3f1f8a11\n');
    expect(routes.out).toContain('because rule 1 "Route" of b.json, which has another action  /action\n');
    const change = await headgate(['rules', 'diff', 'a.json', 'b.json'], {
      files: { 'a.json': JSON.stringify(hide), 'b.json': '[]' },
    });
    expect(change.out).toContain('before  delivered to every endpoint, data.card becomes "****"\n');
  });

  test('prints JSON', async () => {
    const files = { 'a.json': before, 'b.json': JSON.stringify([drop]) };
    const { code, out } = await headgate(['rules', 'diff', 'a.json', 'b.json', '--json'], { files });
    expect(code).toBe(1);
    expect(objectsIn(out)).toMatchObject([
      {
        answer: 'differs',
        before: { outcome: 'deliver', tags: ['big'] },
        after: { outcome: 'deliver', tags: [] },
        cause: { in: 'before', rule: 2, name: 'Tag' },
      },
    ]);
  });

  test('says what stays open', async () => {
    const hard = (value: string) => ({ ...drop, match: { path: 'data.a', op: 'matches', value } });
    const files = {
      'a.json': JSON.stringify(hard('^\\p{Lu}{40}$')),
      'b.json': JSON.stringify(hard('^\\p{Lu}{40,41}$')),
    };
    const { code, err } = await headgate(['rules', 'diff', 'a.json', 'b.json'], { files });
    expect(err).toContain('not known: the rules ask for something that is not decided');
    expect(code).toBe(2);
  });

  test('problems of either file are printed', async () => {
    const files = { 'a.json': before, 'b.json': '[7]' };
    const { code, err } = await headgate(['rules', 'diff', 'a.json', 'b.json'], { files });
    expect(err).toContain('b.json:1:2: error: rule 1: a rule must be an object');
    expect(code).toBe(1);
  });
});

describe('headgate rules import', () => {
  const action = '{"action":{"type":"drop"}}';
  const conditions = '[\n{"===":[{"var":"type"},"ping"]},\n{"and":[true,\n{"<":[{"var":"data.n"},5]}]}]';

  test('prints rules, and says where it refuses what', async () => {
    const { code, out, err } = await headgate(
      ['rules', 'import', 'a.json', '--from', 'json-logic', '--as', action],
      {
        files: { 'a.json': conditions },
      },
    );
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual([
      { name: 'json-logic 1', stage: 'deliver', match: drop.match, action: { type: 'drop' }, priority: 0 },
    ]);
    expect(err).toContain('a.json:4:1: error: rule 2: this also orders texts such as " 5"');
    expect(err).toContain('[not_convertible]\na.json: 1 rule imported, 1 skipped\n');
  });

  test('gives rules that the other commands take', async () => {
    const words = [
      'rules',
      'import',
      '-',
      '--from',
      'json-logic',
      '--as',
      action,
      '--assume',
      'kinds',
      '--assume',
      'objects',
    ];
    const imported = await headgate(words, { stdin: conditions });
    expect(imported.code).toBe(0);
    const checked = await headgate(['rules', 'check', '-'], { stdin: imported.out });
    expect(checked.err).toContain('2 valid rules, no problems');
    const at = await headgate([...words, '--at', 'data.body'], { stdin: conditions });
    expect(at.out).toContain('data.body.data.n');
  });

  test.for<[string, readonly string[], string, number]>([
    ['[]', ['--from', 'mongodb'], '0 rules imported, 0 skipped', 0],
    ['[', ['--from', 'mongodb'], '1:2: error: this is not JSON', 1],
    ['{}', [], 'give --from FORMAT', 2],
    ['{}', ['--from', 'sql'], '--from is "sql": give one of json-rules-engine', 2],
    ['{}', ['--from', 'mongodb', '--as', '{'], '--as must be JSON', 2],
    ['{}', ['--from', 'mongodb', '--as', '{"tags":1}'], 'unknown "tags"', 2],
    ['{}', ['--from', 'mongodb', '--at', 'a..b'], 'at must be a path', 2],
    ['{"type":"x"}', ['--from', 'mongodb'], 'action is missing', 1],
  ])('of %j with %j says %j', async ([stdin, words, says, exit]) => {
    const { code, out, err } = await headgate(['rules', 'import', '-', ...words], { stdin });
    expect(err).toContain(says);
    expect(code).toBe(exit);
    if (exit < 2) expect(JSON.parse(out)).toEqual([]);
  });
});
