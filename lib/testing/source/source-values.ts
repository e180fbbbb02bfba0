import ts from "typescript";

export type Env = ReadonlyMap<string, Value>;
export type Value = string | number | boolean | null | RegExp | Value[] | LazyObject | LazyFunction;

export class LazyObject {
  constructor(
    readonly node: ts.ObjectLiteralExpression,
    readonly env: Env,
  ) {}
}

export class LazyFunction {
  constructor(
    readonly node: ts.FunctionLikeDeclaration,
    readonly env: Env,
  ) {}
}

/** Not an Error, because it is thrown so often that recording stacks took most of the time. */
export class Unreadable {
  constructor(readonly message: string) {}
}

/** Thrown when evaluation nests too deeply, for example in a recursion. */
export class EvaluationTooDeep extends Unreadable {}

const MAX_VARIANTS = 200;
export const EMPTY: Env = new Map();

export const OPERATORS: Partial<Record<ts.SyntaxKind, (left: Value, right: Value) => Value>> = {
  [ts.SyntaxKind.PlusToken]: (left, right) =>
    typeof left === "number" && typeof right === "number" ? left + right : textOf(left) + textOf(right),
  [ts.SyntaxKind.MinusToken]: (left, right) => Number(left) - Number(right),
  [ts.SyntaxKind.AsteriskToken]: (left, right) => Number(left) * Number(right),
  [ts.SyntaxKind.SlashToken]: (left, right) => Number(left) / Number(right),
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: (left, right) => left === right,
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: (left, right) => left !== right,
};

export function toRegExp(literal: string): RegExp {
  const end = literal.lastIndexOf("/");
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

export function textOf(value: Value): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new Unreadable("what stands in the text is neither text nor a number");
}

export function limitValues<Item>(items: Item[]): Item[] {
  if (items.length > MAX_VARIANTS) throw new Unreadable(`more than ${MAX_VARIANTS} variants`);
  return items;
}
