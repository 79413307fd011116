export type { Expression, Lookup } from './expression.js';
export { compileExpression, missing } from './expression.js';
export { asText, isTrue, numberOf } from './operators.js';
export { ExpressionError } from './tokens.js';
