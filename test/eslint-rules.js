/**
 * The rules of the house that no published plugin has; test/dialect.slow.test.ts plants a violation of each.
 */

/** Statements that repeat or choose, with the statement that they govern. */
const governed = {
  ForStatement: 'body',
  ForOfStatement: 'body',
  ForInStatement: 'body',
  WhileStatement: 'body',
  DoWhileStatement: 'body',
  IfStatement: 'consequent',
};

/** A file begins with a sentence that says what it is for. */
const fileHeader = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { missing: 'Begin the file with a /** … */ comment that says what it is for.' },
  },
  create: ({ sourceCode, report }) => ({
    Program(node) {
      // The line that names the interpreter of a program stands before all.
      const [first] = sourceCode.getAllComments().filter(({ type }) => type !== 'Shebang');
      const isFirst = first !== undefined && /^(?:#!.*)?\s*$/.test(sourceCode.text.slice(0, first.range[0]));
      if (isFirst && isDocComment(first)) return;
      report({ node, loc: { line: 1, column: 0 }, messageId: 'missing' });
    },
  }),
};

/** A loop or an `if` right inside another stands in braces. */
const nestedBraces = {
  meta: {
    type: 'layout',
    fixable: 'code',
    schema: [],
    messages: { missing: 'Put braces around a loop or an if that stands in another.' },
  },
  create: ({ sourceCode, report }) => {
    const check = (node) => {
      const inner = node[governed[node.type]];
      if (governed[inner.type] === undefined) return;
      const fix = (fixer) => fixer.replaceText(inner, `{ ${sourceCode.getText(inner)} }`);
      report({ node: inner, messageId: 'missing', fix });
    };
    return Object.fromEntries(Object.keys(governed).map((type) => [type, check]));
  },
};

/** A class says what it is, how it lives and who makes it. */
const classComment = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { missing: 'Say in a /** … */ comment what the class is, and how its instances live.' },
  },
  create: ({ sourceCode, report }) => ({
    'Program > ClassDeclaration, Program > ExportNamedDeclaration > ClassDeclaration'(node) {
      const outer = node.parent.type === 'Program' ? node : node.parent;
      const comment = sourceCode.getCommentsBefore(outer).at(-1);
      if (comment === undefined || !isDocComment(comment)) report({ node, messageId: 'missing' });
    },
  }),
};

/** A number, a text, a boolean or a pattern at the top of a module is a constant, and named like one. */
const constantCase = {
  meta: {
    type: 'suggestion',
    fixable: 'code',
    schema: [],
    messages: { lower: 'A constant of a module is in upper case: {{name}}.' },
  },
  create: ({ sourceCode, report }) => ({
    ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind=const] > VariableDeclarator'(
      node,
    ) {
      const { id, init } = node;
      if (id.type !== 'Identifier' || !isPrimitive(init) || /^[A-Z][A-Z\d_]*$/.test(id.name)) return;
      const name = id.name.replace(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
      const [variable] = sourceCode.getDeclaredVariables(node);
      const places = [id, ...variable.references.map(({ identifier }) => identifier)];
      // A shorthand property, such as { secrets }, is named like its variable.
      if (places.some(({ parent }) => parent.shorthand === true)) return;
      // Other modules may name what is exported, so that is mended by hand.
      const isSafe = node.parent.parent.type === 'Program';
      const fix = (fixer) =>
        [...new Set(places)].map(({ range }) =>
          fixer.replaceTextRange([range[0], range[0] + id.name.length], name),
        );
      report({ node: id, messageId: 'lower', data: { name }, fix: isSafe ? fix : null });
    },
  }),
};

/** The first word of a comment, or of the text of a tag, that makes a question or a riddle of it. */
const WORD = String.raw`(Who(?:ever|m|se)?|What(?:ever)?|Where|Of|Told|Those)\b`;
const RIDDLE = new RegExp(String.raw`^[*\s]*${WORD}|@\w+ (?:\S+ - )?${WORD}`);

/** A comment states a thing, or says what it does; it does not begin like a question or in the middle of a sentence. */
const plainComment = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      question: 'Say plainly what the thing is or does: begin with its noun or verb, not with {{word}}.',
    },
  },
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const comment of sourceCode.getAllComments()) {
        const [, first, ofTag] = RIDDLE.exec(comment.value) ?? [];
        const word = first ?? ofTag;
        if (word !== undefined) report({ loc: comment.loc, messageId: 'question', data: { word } });
      }
    },
  }),
};

const isDocComment = ({ type, value }) => type === 'Block' && value.startsWith('*');

function isPrimitive(node) {
  switch (node?.type) {
    case 'Literal':
      return node.value !== null || node.regex !== undefined;
    case 'TemplateLiteral':
      return true;
    case 'UnaryExpression':
      return isPrimitive(node.argument);
    case 'BinaryExpression':
      return isPrimitive(node.left) || isPrimitive(node.right);
    default:
      return false;
  }
}

export const house = {
  meta: { name: 'house' },
  rules: {
    'file-header': fileHeader,
    'nested-braces': nestedBraces,
    'class-comment': classComment,
    'constant-case': constantCase,
    'plain-comment': plainComment,
  },
};
