import path from "node:path";
import ts from "typescript";
import { memoized } from "@/lib/testing/source/memoized";
import { SourceCalls } from "@/lib/testing/source/source-calls";
import {
  enclosingLoop,
  enclosingName,
  nameOf,
  ownerOf,
  sentBy,
  visit,
} from "@/lib/testing/source/source-syntax";
import {
  EMPTY,
  type Env,
  EvaluationTooDeep,
  LazyFunction,
  LazyObject,
  limitValues,
  OPERATORS,
  textOf,
  toRegExp,
  Unreadable,
  type Value,
} from "@/lib/testing/source/source-values";

/** A call that sends SQL, with every text it can send according to the source. */
export interface StatementSite {
  /**
   * For example `get-delivery.ts#getDelivery`: the file name without its folder, and the enclosing function or
   * constant.
   */
  site: string;
  texts: string[];
  /** Why the text can't be read from the source; null if it can. */
  unreadable: string | null;
}

/**
 * Reads every SQL text of the code without running it. Follows constants, imports, calls of functions that return text,
 * both branches of conditions, loops over constant lists, and parameters to the calls that pass them. Text that is
 * composed from values known only at run time is reported as unreadable. `known`: the values of imported constants, by
 * name.
 */
export function readStatements(
  root: string,
  folders: readonly string[],
  known: Readonly<Record<string, string>> = {},
): StatementSite[] {
  const program = new Source(root, folders, known);
  return program.files.flatMap((file) => program.sitesOf(file));
}

type Node = ts.Node;

const MAX_DEPTH = 60;
const FEW_CALLS = 12;

class Source extends SourceCalls {
  #depth = 0;
  readonly #withoutNames = memoized<ts.Expression>();

  sitesOf(file: ts.SourceFile): StatementSite[] {
    const sites: StatementSite[] = [];
    visit(file, (node) => {
      const sent = sentBy(node);
      if (sent !== undefined) sites.push(this.read(sent));
    });
    return sites;
  }

  protected read(sent: ts.Expression): StatementSite {
    const file = sent.getSourceFile();
    const site = `${path.basename(file.fileName)}#${enclosingName(sent)}`;
    try {
      const texts = this.environments(sent).flatMap((env) =>
        this.evaluate(sent, env).flatMap((value) => this.textsOf(value)),
      );
      return { site, texts: [...new Set(texts)], unreadable: null };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return { site, texts: [], unreadable: error.message };
    }
  }

  protected textsOf(value: Value): string[] {
    if (typeof value === "string") return [value];
    if (!(value instanceof LazyObject)) throw new Unreadable("what is sent is no statement");
    return this.property(value, "text").map(textOf);
  }

  /**
   * The possible values of the names around a node: one environment for each call of its function and iteration of
   * its loops.
   */
  protected environments(node: Node): Env[] {
    const owner = ownerOf(node);
    const calls = owner === undefined ? [] : this.callsOf(owner);
    let envs: Env[] = [EMPTY];
    // With few calls, each is evaluated separately, so that the arguments of one call stay together. With many, #passed
    // combines the arguments of all calls.
    if (owner !== undefined && calls.length > 0 && calls.length <= FEW_CALLS) {
      envs = calls.flatMap((call) =>
        this.inLoops(call, [EMPTY]).flatMap((env) => {
          const given = call.arguments.map((argument) => () => this.evaluate(argument, env));
          return this.parametersBound(owner, given, EMPTY);
        }),
      );
    }
    return this.inLoops(node, limitValues(envs));
  }

  protected inLoops(node: Node, envs: Env[]): Env[] {
    const loop = enclosingLoop(node);
    if (loop === undefined) return envs;
    return limitValues(this.inLoops(loop, envs).flatMap((env) => this.turns(loop, env)));
  }

  protected turns(loop: ts.ForOfStatement, env: Env): Env[] {
    if (!ts.isVariableDeclarationList(loop.initializer)) return [env];
    const [declaration] = loop.initializer.declarations;
    if (declaration === undefined) return [env];
    let lists: Value[];
    try {
      lists = this.evaluate(loop.expression, env);
    } catch (error) {
      // The value matters only to text that uses the variable.
      if (error instanceof Unreadable) return [env];
      throw error;
    }
    return lists.flatMap((list) =>
      Array.isArray(list) ? list.flatMap((item) => this.bind(declaration.name, item, env)) : [env],
    );
  }

  protected evaluate(node: ts.Expression, env: Env): Value[] {
    const once = () => this.deeper(() => limitValues(this.evaluateOnce(node, env)));
    return env.size > 0 ? once() : this.#withoutNames(node, "", once);
  }

  protected evaluateOnce(node: ts.Expression, env: Env): Value[] {
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAwaitExpression(node)
    )
      return this.evaluate(node.expression, env);
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isNumericLiteral(node)) return [Number(node.text.replaceAll("_", ""))];
    if (node.kind === ts.SyntaxKind.TrueKeyword) return [true];
    if (node.kind === ts.SyntaxKind.FalseKeyword) return [false];
    if (node.kind === ts.SyntaxKind.NullKeyword) return [null];
    if (ts.isRegularExpressionLiteral(node)) return [toRegExp(node.text)];
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken)
      return this.evaluate(node.operand, env).map((value) => -Number(value));
    if (ts.isTemplateExpression(node)) return this.template(node, env);
    if (ts.isIdentifier(node)) return this.identifier(node, env);
    if (ts.isConditionalExpression(node)) {
      const [condition] = this.evaluateOrNull(node.condition, env);
      if (typeof condition === "boolean")
        return this.evaluate(condition ? node.whenTrue : node.whenFalse, env);
      return [...this.evaluate(node.whenTrue, env), ...this.evaluate(node.whenFalse, env)];
    }
    if (ts.isBinaryExpression(node)) return this.binary(node, env);
    if (ts.isObjectLiteralExpression(node)) return [new LazyObject(node, env)];
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return [new LazyFunction(node, env)];
    if (ts.isArrayLiteralExpression(node)) return this.array(node, env);
    if (ts.isPropertyAccessExpression(node))
      return this.evaluate(node.expression, env).flatMap((value) => this.property(value, node.name.text));
    if (ts.isElementAccessExpression(node)) return this.element(node, env);
    if (ts.isCallExpression(node)) return this.call(node, env);
    throw new Unreadable(`${ts.SyntaxKind[node.kind]}: ${node.getText().slice(0, 80)}`);
  }

  protected template(node: ts.TemplateExpression, env: Env): string[] {
    let texts = [node.head.text];
    for (const span of node.templateSpans) {
      const values = this.evaluate(span.expression, env).map(textOf);
      texts = limitValues(texts.flatMap((text) => values.map((value) => text + value + span.literal.text)));
    }
    return texts;
  }

  protected binary(node: ts.BinaryExpression, env: Env): Value[] {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken)
      return [...this.evaluate(node.left, env), ...this.evaluate(node.right, env)];
    const operate = OPERATORS[kind];
    if (operate === undefined) throw new Unreadable(`operator: ${node.getText().slice(0, 80)}`);
    return this.evaluate(node.left, env).flatMap((left) =>
      this.evaluate(node.right, env).map((right) => operate(left, right)),
    );
  }

  protected array(node: ts.ArrayLiteralExpression, env: Env): Value[] {
    let arrays: Value[][] = [[]];
    for (const element of node.elements) {
      const spread = ts.isSpreadElement(element);
      const values = spread ? this.evaluate(element.expression, env) : this.evaluateOrNull(element, env);
      arrays = limitValues(
        arrays.flatMap((items) =>
          values.map((value) => [...items, ...(spread && Array.isArray(value) ? value : [value])]),
        ),
      );
    }
    return arrays;
  }

  /**
   * Returns null for an unreadable list element. An element matters only if it becomes part of a text, which null
   * can't.
   */
  protected evaluateOrNull(node: ts.Expression, env: Env): Value[] {
    try {
      return this.evaluate(node, env);
    } catch (error) {
      if (error instanceof Unreadable) return [null];
      throw error;
    }
  }

  protected element(node: ts.ElementAccessExpression, env: Env): Value[] {
    return this.evaluate(node.expression, env).flatMap((value) => {
      let keys: Value[];
      try {
        keys = this.evaluate(node.argumentExpression, env);
      } catch (error) {
        if (error instanceof Unreadable) return this.valuesOf(value);
        throw error;
      }
      return keys.flatMap((key) => this.property(value, textOf(key)));
    });
  }

  protected valuesOf(value: Value): Value[] {
    if (Array.isArray(value)) return value;
    return this.keysOf(value).flatMap((key) => this.property(value, key));
  }

  protected property(value: Value, key: string): Value[] {
    if (Array.isArray(value)) {
      if (key === "length") return [value.length];
      const item = value[Number(key)];
      if (item === undefined) throw new Unreadable(`no element ${key}`);
      return [item];
    }
    if (!(value instanceof LazyObject)) throw new Unreadable(`property ${key}`);
    for (const property of value.node.properties) {
      if (ts.isSpreadAssignment(property) || nameOf(property.name) !== key) continue;
      if (ts.isPropertyAssignment(property)) return this.evaluate(property.initializer, value.env);
      if (ts.isShorthandPropertyAssignment(property)) return this.identifier(property.name, value.env);
      if (ts.isMethodDeclaration(property)) return [new LazyFunction(property, value.env)];
    }
    for (const property of value.node.properties) {
      if (!ts.isSpreadAssignment(property)) continue;
      return this.evaluate(property.expression, value.env).flatMap((spread) => this.property(spread, key));
    }
    throw new Unreadable(`no property ${key}`);
  }

  protected deeper<Result>(work: () => Result): Result {
    if (this.#depth >= MAX_DEPTH) throw new EvaluationTooDeep("too deep");
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }
}
