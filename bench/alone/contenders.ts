/**
 * Everything that a tree can be given to. Peers are imported by a name that the compiler does not follow, since they
 * are installed for benches only.
 */
import { compileMatch } from '../../src/index.js';
import type { Tree } from './tree.js';
import { variants } from './variants.js';

export type Predicate = (event: unknown) => boolean | Promise<boolean>;

export interface Contender {
  readonly name: string;
  /** Set for headgate and for the predicates written by hand. @defaultValue another project's library */
  readonly ours?: true;
  /** A remark shown beside its figure. */
  readonly mark?: 'makes code from strings' | 'native code';
  /** Whether it answers with promises only. */
  readonly async?: true;
  readonly compile: (tree: Tree) => Predicate | Promise<Predicate>;
}

const load = async <T>(name: string): Promise<T> => (await import(name)) as T;

type MongoTest = (event: unknown) => boolean;

const sift: Contender = {
  name: 'sift',
  async compile({ mongo }) {
    const { default: module } = await load<{ default: ((query: object) => MongoTest) & { default?: never } }>(
      'sift',
    );
    return (module.default ?? module)(mongo);
  },
};

const mingo: Contender = {
  name: 'mingo',
  async compile({ mongo }) {
    const { Query } = await load<{ Query: new (query: object) => { test: MongoTest } }>('mingo');
    const query = new Query(mongo);
    return (event) => query.test(event);
  },
};

const ucast: Contender = {
  name: '@ucast/mongo2js',
  async compile({ mongo }) {
    const { guard } = await load<{ guard: (query: object) => MongoTest }>('@ucast/mongo2js');
    return guard(mongo);
  },
};

const jsonLogicJs: Contender = {
  name: 'json-logic-js',
  async compile({ jsonLogic }) {
    const { default: module } = await load<{ default: { apply(rule: object, data: unknown): unknown } }>(
      'json-logic-js',
    );
    return (event) => Boolean(module.apply(jsonLogic, event));
  },
};

interface LogicEngine {
  run(rule: object, data: unknown): unknown;
  build(rule: object): (data: unknown) => unknown;
}

const logicEngine = async (): Promise<LogicEngine> => {
  const { LogicEngine } = await load<{ LogicEngine: new () => LogicEngine }>('json-logic-engine');
  return new LogicEngine();
};

const jsonLogicEngine: Contender = {
  name: 'json-logic-engine (run)',
  async compile({ jsonLogic }) {
    const engine = await logicEngine();
    return (event) => Boolean(engine.run(jsonLogic, event));
  },
};

const builtJsonLogicEngine: Contender = {
  name: 'json-logic-engine (build)',
  mark: 'makes code from strings',
  async compile({ jsonLogic }) {
    const engine = await logicEngine();
    const built = engine.build(jsonLogic);
    return (event) => Boolean(built(event));
  },
};

const cel: Contender = {
  name: '@marcbachmann/cel-js',
  async compile({ cel }) {
    const { parse } = await load<{ parse: (text: string) => (context: unknown) => boolean }>(
      '@marcbachmann/cel-js',
    );
    const evaluate = parse(cel);
    return (event) => evaluate(event);
  },
};

const jsonata: Contender = {
  name: 'jsonata',
  async: true,
  async compile({ jsonata: text }) {
    const { default: compile } = await load<{
      default: (text: string) => { evaluate(input: unknown): Promise<unknown> };
    }>('jsonata');
    const expression = compile(text);
    return async (event) => Boolean(await expression.evaluate(event));
  },
};

interface RulesEngine {
  addRule(rule: object): void;
  addOperator(name: string, holds: (subject: unknown, value: string) => boolean): void;
  run(facts: object): Promise<{ results: readonly unknown[] }>;
}

const jsonRulesEngine: Contender = {
  name: 'json-rules-engine',
  async: true,
  async compile({ conditions }) {
    const { Engine } = await load<{ Engine: new () => RulesEngine }>('json-rules-engine');
    const engine = new Engine();
    engine.addOperator('present', (subject) => subject !== undefined);
    engine.addOperator('absent', (subject) => subject === undefined);
    engine.addOperator(
      'startsWith',
      (subject, text) => typeof subject === 'string' && subject.startsWith(text),
    );
    engine.addOperator('endsWith', (subject, text) => typeof subject === 'string' && subject.endsWith(text));
    engine.addOperator('holds', (subject, text) => typeof subject === 'string' && subject.includes(text));
    engine.addRule({ conditions, event: { type: 'matched' } });
    return async (event) => (await engine.run(event as object)).results.length > 0;
  },
};

/** Reads the expression anew each time: the package has nothing that keeps one and answers at once. */
const zenExpression: Contender = {
  name: '@gorules/zen-engine (expression)',
  mark: 'native code',
  async compile({ zen }) {
    const { evaluateExpressionSync } = await load<{
      evaluateExpressionSync: (text: string, context: unknown) => boolean;
    }>('@gorules/zen-engine');
    return (event) => evaluateExpressionSync(zen, event);
  },
};

interface ZenEngine {
  createDecision(content: object): { evaluate(context: unknown): Promise<{ result: { matched: boolean } }> };
}

/** A decision of one expression, compiled once. */
const zenDecision: Contender = {
  name: '@gorules/zen-engine (decision)',
  mark: 'native code',
  async: true,
  async compile({ zen }) {
    const { ZenEngine } = await load<{ ZenEngine: new () => ZenEngine }>('@gorules/zen-engine');
    const expressions = [{ id: 'e', key: 'matched', value: zen.replaceAll('\n', ' ') }];
    const decision = new ZenEngine().createDecision({
      nodes: [
        { id: 'in', name: 'in', type: 'inputNode', position: { x: 0, y: 0 } },
        { id: 'is', name: 'is', type: 'expressionNode', position: { x: 1, y: 0 }, content: { expressions } },
        { id: 'out', name: 'out', type: 'outputNode', position: { x: 2, y: 0 } },
      ],
      edges: [
        { id: '1', type: 'edge', sourceId: 'in', targetId: 'is' },
        { id: '2', type: 'edge', sourceId: 'is', targetId: 'out' },
      ],
    });
    return async (event) => (await decision.evaluate(event)).result.matched;
  },
};

export const headgate: Contender = {
  name: 'headgate',
  ours: true,
  compile: ({ match }) => compileMatch(match),
};

/** As in a service with many rules: each event meets another tree, and each tree answers alike. */
const manyTrees: Contender = {
  name: 'headgate, 200 trees in turn',
  ours: true,
  compile({ match }) {
    const predicates = variants(match, 200).map((tree) => compileMatch(tree));
    let nth = 0;
    return (event) => {
      nth = nth === predicates.length - 1 ? 0 : nth + 1;
      return predicates[nth]!(event);
    };
  },
};

export const careful: Contender = {
  name: 'by hand, carefully',
  ours: true,
  compile: ({ carefully }) => carefully,
};

export const contenders: readonly Contender[] = [
  ...[
    careful,
    headgate,
    manyTrees,
    sift,
    mingo,
    ucast,
    jsonLogicJs,
    jsonLogicEngine,
    builtJsonLogicEngine,
    cel,
    jsonata,
  ],
  ...[jsonRulesEngine, zenExpression, zenDecision],
];
