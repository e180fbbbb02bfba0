import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** A call that sends SQL, and every text it can send as far as the source says. */
export interface StatementSite {
  /** `get-delivery.ts#getDelivery`: the file, whichever folder it is in, and the function or constant around the call. */
  site: string;
  texts: string[];
  /** Why the text cannot be read from the source; null when it can. */
  unreadable: string | null;
}

/**
 * Reads every SQL text of the code without running it: follows constants, imports, calls of functions that return text,
 * both branches of a condition, loops over constant lists, and parameters to the calls that pass them. A text that is
 * composed from values known only at run time is reported as unreadable. `known` gives constants that are imported, by name.
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
type Env = ReadonlyMap<string, Value>;
type Value = string | number | boolean | null | RegExp | Value[] | LazyObject | LazyFunction;

class LazyObject {
  constructor(
    readonly node: ts.ObjectLiteralExpression,
    readonly env: Env,
  ) {}
}

class LazyFunction {
  constructor(
    readonly node: ts.FunctionLikeDeclaration,
    readonly env: Env,
  ) {}
}

/** Thrown so often that recording a stack each time took most of the time: it is no Error. */
class Unreadable {
  constructor(readonly message: string) {}
}

const MAX_VARIANTS = 200;
const MAX_DEPTH = 60;
const FEW_CALLS = 12;
const EMPTY: Env = new Map();

class Source {
  readonly files: ts.SourceFile[];
  readonly #byPath: Map<string, ts.SourceFile>;
  readonly #calls = new Map<string, ts.CallExpression[]>();
  readonly #callsByOwner = new Map<ts.FunctionLikeDeclaration, ts.CallExpression[]>();
  readonly #constants = new Map<string, Value[] | Unreadable>();
  #depth = 0;

  constructor(
    readonly root: string,
    folders: readonly string[],
    readonly known: Readonly<Record<string, string>>,
  ) {
    this.files = folders.flatMap((folder) => sourcePaths(path.join(root, folder))).map(parse);
    this.#byPath = new Map(this.files.map((file) => [file.fileName, file]));
    for (const file of this.files) {
      visit(file, (node) => {
        if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return;
        const { text } = node.expression;
        this.#calls.set(text, [...(this.#calls.get(text) ?? []), node]);
      });
    }
  }

  sitesOf(file: ts.SourceFile): StatementSite[] {
    const sites: StatementSite[] = [];
    visit(file, (node) => {
      const sent = sentBy(node);
      if (sent !== undefined) sites.push(this.#read(sent));
    });
    return sites;
  }

  #read(sent: ts.Expression): StatementSite {
    const file = sent.getSourceFile();
    const site = `${path.basename(file.fileName)}#${nameAround(sent)}`;
    try {
      const texts = this.#environments(sent).flatMap((env) =>
        this.#evaluate(sent, env).flatMap((value) => this.#textsOf(value)),
      );
      return { site, texts: [...new Set(texts)], unreadable: null };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return { site, texts: [], unreadable: error.message };
    }
  }

  #textsOf(value: Value): string[] {
    if (typeof value === "string") return [value];
    if (!(value instanceof LazyObject)) throw new Unreadable("what is sent is no statement");
    return this.#property(value, "text").map(textOf);
  }

  /**
   * The possible values of the names around a node: one environment for each call of its function and iteration of
   * its loops.
   */
  #environments(node: Node): Env[] {
    const owner = ownerOf(node);
    const calls = owner === undefined ? [] : this.#callsOf(owner);
    let envs: Env[] = [EMPTY];
    // With few calls each is looked at by itself, so that what one passes stays together; with many, #passed mixes them.
    if (owner !== undefined && calls.length > 0 && calls.length <= FEW_CALLS) {
      envs = calls.flatMap((call) =>
        this.#inLoops(call, [EMPTY]).flatMap((env) => {
          const given = call.arguments.map((argument) => () => this.#evaluate(argument, env));
          return this.#parametersBound(owner, given, EMPTY);
        }),
      );
    }
    return this.#inLoops(node, limited(envs));
  }

  #inLoops(node: Node, envs: Env[]): Env[] {
    const loop = loopAround(node);
    if (loop === undefined) return envs;
    return limited(this.#inLoops(loop, envs).flatMap((env) => this.#turns(loop, env)));
  }

  #callsOf(owner: ts.FunctionLikeDeclaration): ts.CallExpression[] {
    const known = this.#callsByOwner.get(owner);
    if (known !== undefined) return known;
    const named = this.#calls.get(functionName(owner) ?? "") ?? [];
    const calls = named.filter((call) => this.#isCallOf(call, owner));
    this.#callsByOwner.set(owner, calls);
    return calls;
  }

  #turns(loop: ts.ForOfStatement, env: Env): Env[] {
    if (!ts.isVariableDeclarationList(loop.initializer)) return [env];
    const [declaration] = loop.initializer.declarations;
    if (declaration === undefined) return [env];
    let lists: Value[];
    try {
      lists = this.#evaluate(loop.expression, env);
    } catch (error) {
      // Only a text that uses the variable needs it.
      if (error instanceof Unreadable) return [env];
      throw error;
    }
    return lists.flatMap((list) =>
      Array.isArray(list) ? list.flatMap((item) => this.#bind(declaration.name, item, env)) : [env],
    );
  }

  #bind(name: ts.BindingName, value: Value, env: Env): Env[] {
    if (ts.isIdentifier(name)) return [new Map([...env, [name.text, value]])];
    let bound = [env];
    for (const [at, element] of name.elements.entries()) {
      if (ts.isOmittedExpression(element)) continue;
      const key = ts.isArrayBindingPattern(name)
        ? String(at)
        : (element.propertyName ?? element.name).getText();
      let values: Value[];
      try {
        values = this.#property(value, key);
      } catch (error) {
        if (error instanceof Unreadable) continue;
        throw error;
      }
      bound = bound.flatMap((each) => values.flatMap((item) => this.#bind(element.name, item, each)));
    }
    return bound;
  }

  #evaluate(node: ts.Expression, env: Env): Value[] {
    return this.#deeper(() => limited(this.#evaluateOnce(node, env)));
  }

  #evaluateOnce(node: ts.Expression, env: Env): Value[] {
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAwaitExpression(node)
    )
      return this.#evaluate(node.expression, env);
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isNumericLiteral(node)) return [Number(node.text.replaceAll("_", ""))];
    if (node.kind === ts.SyntaxKind.TrueKeyword) return [true];
    if (node.kind === ts.SyntaxKind.FalseKeyword) return [false];
    if (node.kind === ts.SyntaxKind.NullKeyword) return [null];
    if (ts.isRegularExpressionLiteral(node)) return [toRegExp(node.text)];
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken)
      return this.#evaluate(node.operand, env).map((value) => -Number(value));
    if (ts.isTemplateExpression(node)) return this.#template(node, env);
    if (ts.isIdentifier(node)) return this.#identifier(node, env);
    if (ts.isConditionalExpression(node)) {
      const [condition] = this.#evaluateOrNull(node.condition, env);
      if (typeof condition === "boolean")
        return this.#evaluate(condition ? node.whenTrue : node.whenFalse, env);
      return [...this.#evaluate(node.whenTrue, env), ...this.#evaluate(node.whenFalse, env)];
    }
    if (ts.isBinaryExpression(node)) return this.#binary(node, env);
    if (ts.isObjectLiteralExpression(node)) return [new LazyObject(node, env)];
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return [new LazyFunction(node, env)];
    if (ts.isArrayLiteralExpression(node)) return this.#array(node, env);
    if (ts.isPropertyAccessExpression(node))
      return this.#evaluate(node.expression, env).flatMap((value) => this.#property(value, node.name.text));
    if (ts.isElementAccessExpression(node)) return this.#element(node, env);
    if (ts.isCallExpression(node)) return this.#call(node, env);
    throw new Unreadable(`${ts.SyntaxKind[node.kind]}: ${node.getText().slice(0, 80)}`);
  }

  #template(node: ts.TemplateExpression, env: Env): string[] {
    let texts = [node.head.text];
    for (const span of node.templateSpans) {
      const values = this.#evaluate(span.expression, env).map(textOf);
      texts = limited(texts.flatMap((text) => values.map((value) => text + value + span.literal.text)));
    }
    return texts;
  }

  #binary(node: ts.BinaryExpression, env: Env): Value[] {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken)
      return [...this.#evaluate(node.left, env), ...this.#evaluate(node.right, env)];
    const operate = OPERATORS[kind];
    if (operate === undefined) throw new Unreadable(`operator: ${node.getText().slice(0, 80)}`);
    return this.#evaluate(node.left, env).flatMap((left) =>
      this.#evaluate(node.right, env).map((right) => operate(left, right)),
    );
  }

  #array(node: ts.ArrayLiteralExpression, env: Env): Value[] {
    let arrays: Value[][] = [[]];
    for (const element of node.elements) {
      const spread = ts.isSpreadElement(element);
      const values = spread ? this.#evaluate(element.expression, env) : this.#evaluateOrNull(element, env);
      arrays = limited(
        arrays.flatMap((items) =>
          values.map((value) => [...items, ...(spread && Array.isArray(value) ? value : [value])]),
        ),
      );
    }
    return arrays;
  }

  /** An element of a list matters only where it becomes part of a text, which null cannot. */
  #evaluateOrNull(node: ts.Expression, env: Env): Value[] {
    try {
      return this.#evaluate(node, env);
    } catch (error) {
      if (error instanceof Unreadable) return [null];
      throw error;
    }
  }

  #element(node: ts.ElementAccessExpression, env: Env): Value[] {
    return this.#evaluate(node.expression, env).flatMap((value) => {
      let keys: Value[];
      try {
        keys = this.#evaluate(node.argumentExpression, env);
      } catch (error) {
        if (error instanceof Unreadable) return this.#valuesOf(value);
        throw error;
      }
      return keys.flatMap((key) => this.#property(value, textOf(key)));
    });
  }

  #keysOf(value: Value): string[] {
    if (!(value instanceof LazyObject)) throw new Unreadable("the keys of what is no object literal");
    return value.node.properties.map((property) => nameOf(property.name));
  }

  #valuesOf(value: Value): Value[] {
    if (Array.isArray(value)) return value;
    return this.#keysOf(value).flatMap((key) => this.#property(value, key));
  }

  #property(value: Value, key: string): Value[] {
    if (Array.isArray(value)) {
      if (key === "length") return [value.length];
      const item = value[Number(key)];
      if (item === undefined) throw new Unreadable(`no element ${key}`);
      return [item];
    }
    if (!(value instanceof LazyObject)) throw new Unreadable(`property ${key}`);
    for (const property of value.node.properties) {
      if (ts.isSpreadAssignment(property) || nameOf(property.name) !== key) continue;
      if (ts.isPropertyAssignment(property)) return this.#evaluate(property.initializer, value.env);
      if (ts.isShorthandPropertyAssignment(property)) return this.#identifier(property.name, value.env);
      if (ts.isMethodDeclaration(property)) return [new LazyFunction(property, value.env)];
    }
    for (const property of value.node.properties) {
      if (!ts.isSpreadAssignment(property)) continue;
      return this.#evaluate(property.expression, value.env).flatMap((spread) => this.#property(spread, key));
    }
    throw new Unreadable(`no property ${key}`);
  }

  #identifier(node: ts.Identifier, env: Env): Value[] {
    const bound = env.get(node.text);
    if (bound !== undefined) return [bound];
    const known = this.known[node.text];
    if (known !== undefined) return [known];
    const declaration = declarationOf(node);
    if (declaration === undefined) return this.#imported(node);
    if (ts.isParameter(declaration)) return this.#passed(declaration, node.text);
    if (ts.isFunctionDeclaration(declaration)) return [new LazyFunction(declaration, EMPTY)];
    if (!isConstant(declaration)) throw new Unreadable(`${node.text} may change`);
    if (declaration.initializer === undefined)
      throw new Unreadable(`${node.text} has no value in the source`);
    const values = this.#evaluate(declaration.initializer, env);
    if (ts.isIdentifier(declaration.name)) return this.#grown(declaration, values);
    return values.flatMap((value) =>
      this.#bind(declaration.name, value, EMPTY).map((names) => {
        const found = names.get(node.text);
        if (found === undefined) throw new Unreadable(`${node.text} is not in the source`);
        return found;
      }),
    );
  }

  /** A list that is pushed to is not what it began as. */
  #grown(declaration: ts.VariableDeclaration, values: Value[]): Value[] {
    if (!values.some(Array.isArray) || declaration.name.kind !== ts.SyntaxKind.Identifier) return values;
    const name = declaration.name.text;
    let grows = false;
    visit(enclosingBlock(declaration), (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
      const { expression, name: method } = node.expression;
      if (expression.getText() === name && /^(push|unshift|splice)$/.test(method.text)) grows = true;
    });
    if (grows) throw new Unreadable(`${name} is filled at run time`);
    return values;
  }

  #imported(node: ts.Identifier): Value[] {
    const { text } = node;
    for (const statement of node.getSourceFile().statements) {
      if (!ts.isImportDeclaration(statement)) continue;
      const bindings = statement.importClause?.namedBindings;
      if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
      const specifier = bindings.elements.find((element) => element.name.text === text);
      if (specifier === undefined) continue;
      const file = this.#resolve(node.getSourceFile(), statement.moduleSpecifier);
      if (file === undefined) break;
      return this.#exported(file, (specifier.propertyName ?? specifier.name).text);
    }
    throw new Unreadable(`${text} is not in the source`);
  }

  #exported(file: ts.SourceFile, name: string): Value[] {
    const key = `${file.fileName}#${name}`;
    const known = this.#constants.get(key);
    if (known instanceof Unreadable) throw known;
    if (known !== undefined) return known;
    try {
      const values = this.#exportedOnce(file, name);
      this.#constants.set(key, values);
      return values;
    } catch (error) {
      if (error instanceof Unreadable) this.#constants.set(key, error);
      throw error;
    }
  }

  #exportedOnce(file: ts.SourceFile, name: string): Value[] {
    for (const statement of file.statements) {
      if (ts.isFunctionDeclaration(statement) && statement.name?.text === name)
        return [new LazyFunction(statement, EMPTY)];
      if (!ts.isVariableStatement(statement)) continue;
      for (const declaration of statement.declarationList.declarations) {
        if (declaration.name.getText() === name && declaration.initializer !== undefined)
          return this.#evaluate(declaration.initializer, EMPTY);
      }
    }
    throw new Unreadable(`${name} is not in ${path.basename(file.fileName)}`);
  }

  #resolve(from: ts.SourceFile, specifier: ts.Expression): ts.SourceFile | undefined {
    if (!ts.isStringLiteral(specifier)) return undefined;
    const { text } = specifier;
    const base = text.startsWith("@/")
      ? path.join(this.root, text.slice(2))
      : path.resolve(path.dirname(from.fileName), text);
    const found = [base, `${base}.ts`, `${base}.tsx`].find((candidate) => this.#byPath.has(candidate));
    return found === undefined ? undefined : this.#byPath.get(found);
  }

  /** The arguments that calls of a function pass for one of its parameters. */
  #passed(parameter: ts.ParameterDeclaration, name: string): Value[] {
    const owner = parameter.parent as ts.FunctionLikeDeclaration;
    const at = owner.parameters.indexOf(parameter);
    const calls = this.#callsOf(owner);
    if (calls.length === 0) throw new Unreadable(`${name} is passed by a call that is not in the source`);
    const values = calls.flatMap((call) => {
      const argument = call.arguments[at] ?? parameter.initializer;
      if (argument === undefined) throw new Unreadable(`${name} is not passed`);
      return this.#inLoops(argument, [EMPTY]).flatMap((env) => this.#evaluate(argument, env));
    });
    if (ts.isIdentifier(parameter.name)) return values;
    return values.flatMap((value) =>
      this.#bind(parameter.name, value, EMPTY).flatMap((names) => {
        const found = names.get(name);
        if (found === undefined) throw new Unreadable(`${name} is not passed`);
        return [found];
      }),
    );
  }

  #isCallOf(call: ts.CallExpression, owner: ts.FunctionLikeDeclaration): boolean {
    if (!ts.isIdentifier(call.expression)) return false;
    const declaration = declarationOf(call.expression);
    if (declaration !== undefined)
      return (
        declaration === owner || (ts.isVariableDeclaration(declaration) && declaration.initializer === owner)
      );
    try {
      const [callee] = this.#imported(call.expression);
      return callee instanceof LazyFunction && callee.node === owner;
    } catch (error) {
      if (error instanceof Unreadable) return false;
      throw error;
    }
  }

  #call(node: ts.CallExpression, env: Env): Value[] {
    // The statement is the same for every number here.
    if (SOME_NUMBER.test(node.expression.getText())) return [1];
    if (ts.isPropertyAccessExpression(node.expression)) return this.#method(node, node.expression, env);
    return this.#evaluate(node.expression, env).flatMap((callee) => {
      if (!(callee instanceof LazyFunction)) throw new Unreadable(`call: ${node.getText().slice(0, 80)}`);
      return this.#apply(
        callee,
        node.arguments.map((argument) => () => this.#evaluate(argument, env)),
      );
    });
  }

  #apply(callee: LazyFunction, given: ((env: Env) => Value[])[]): Value[] {
    return this.#parametersBound(callee.node, given, callee.env).flatMap((env) =>
      returnedBy(callee.node).flatMap((result) => this.#evaluate(result, env)),
    );
  }

  #parametersBound(owner: ts.FunctionLikeDeclaration, given: ((env: Env) => Value[])[], outer: Env): Env[] {
    let envs: Env[] = [outer];
    for (const [at, parameter] of owner.parameters.entries()) {
      const { initializer } = parameter;
      const valuesIn =
        given[at] ?? ((env: Env) => (initializer === undefined ? [] : this.#evaluate(initializer, env)));
      envs = limited(envs.flatMap((env) => this.#bindGiven(parameter, valuesIn, env)));
    }
    return envs;
  }

  #bindGiven(parameter: ts.ParameterDeclaration, valuesIn: (env: Env) => Value[], env: Env): Env[] {
    try {
      const values = valuesIn(env);
      return values.length === 0 ? [env] : values.flatMap((value) => this.#bind(parameter.name, value, env));
    } catch (error) {
      // Only a text that uses the parameter needs it.
      if (error instanceof Unreadable) return [env];
      throw error;
    }
  }

  #method(node: ts.CallExpression, callee: ts.PropertyAccessExpression, env: Env): Value[] {
    const method = callee.name.text;
    if (callee.expression.getText() === "Object") {
      const [argument] = node.arguments;
      if (argument === undefined) throw new Unreadable("Object without an argument");
      return this.#evaluate(argument, env).map((value) => this.#entries(method, value));
    }
    return this.#evaluate(callee.expression, env).flatMap((target) => {
      const given = node.arguments.map((argument) => this.#evaluate(argument, env)[0]);
      return this.#methodOf(target, method, given, node);
    });
  }

  #entries(method: string, value: Value): Value {
    const keys = this.#keysOf(value);
    if (method === "keys") return keys;
    const first = (key: string) => this.#property(value, key)[0] ?? null;
    if (method === "values") return keys.map(first);
    if (method === "entries") return keys.map((key) => [key, first(key)]);
    throw new Unreadable(`Object.${method}`);
  }

  #methodOf(target: Value, method: string, given: (Value | undefined)[], node: Node): Value[] {
    const [first] = given;
    if (Array.isArray(target)) {
      if (method === "slice") return [target.slice(...given.map(Number))];
      if (method === "filter" && first instanceof LazyFunction)
        return [target.filter((item) => this.#apply(first, [() => [item]])[0] === true)];
      if (method === "reduce" && first instanceof LazyFunction)
        return [
          target.reduce(
            (sum, item) => this.#apply(first, [() => [sum], () => [item]])[0] ?? null,
            given[1] ?? null,
          ),
        ];
      if (method === "join") return [target.map(textOf).join(first === undefined ? "," : textOf(first))];
      if (method === "map" && first instanceof LazyFunction)
        return [target.map((item, at) => this.#apply(first, [() => [item], () => [at]])[0] ?? null)];
    }
    if (typeof target === "string") {
      if (method === "replaceAll" || method === "replace") return [this.#replaced(target, method, given)];
      if (method === "toUpperCase") return [target.toUpperCase()];
      if (method === "trim") return [target.trim()];
      if (method === "split") return [target.split(textOf(first ?? ""))];
    }
    throw new Unreadable(`call: ${node.getText().slice(0, 80)}`);
  }

  #replaced(target: string, method: "replace" | "replaceAll", given: (Value | undefined)[]): string {
    const [search, by] = given;
    const pattern = search instanceof RegExp ? search : textOf(search ?? "");
    if (!(by instanceof LazyFunction)) return target[method](pattern, textOf(by ?? ""));
    return target[method](pattern, (...groups: string[]) =>
      textOf(
        this.#apply(
          by,
          groups.map((group) => () => [group]),
        )[0] ?? "",
      ),
    );
  }

  #deeper<Result>(work: () => Result): Result {
    if (this.#depth >= MAX_DEPTH) throw new Unreadable("too deep");
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }
}

const OPERATORS: Partial<Record<ts.SyntaxKind, (left: Value, right: Value) => Value>> = {
  [ts.SyntaxKind.PlusToken]: (left, right) =>
    typeof left === "number" && typeof right === "number" ? left + right : textOf(left) + textOf(right),
  [ts.SyntaxKind.MinusToken]: (left, right) => Number(left) - Number(right),
  [ts.SyntaxKind.AsteriskToken]: (left, right) => Number(left) * Number(right),
  [ts.SyntaxKind.SlashToken]: (left, right) => Number(left) / Number(right),
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: (left, right) => left === right,
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: (left, right) => left !== right,
};

const SOME_NUMBER = /^(randomInt|Math\.\w+)$/;

function toRegExp(literal: string): RegExp {
  const end = literal.lastIndexOf("/");
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** The statement of a `.query(…)`, if the node is one. */
function sentBy(node: Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  return node.expression.name.text === "query" && node.arguments.length > 0 ? node.arguments[0] : undefined;
}

function textOf(value: Value): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new Unreadable("what stands in the text is neither text nor a number");
}

function limited<Item>(items: Item[]): Item[] {
  if (items.length > MAX_VARIANTS) throw new Unreadable(`more than ${MAX_VARIANTS} variants`);
  return items;
}

function sourcePaths(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("/platform/prisma/") && !file.includes("/lib/testing/"))
    .sort();
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** The loop over a list that a node stands in, in its function. */
function loopAround(node: Node): ts.ForOfStatement | undefined {
  let from = node;
  for (let at = node.parent; at !== undefined && at !== ownerOf(node); at = at.parent) {
    if (ts.isForOfStatement(at) && at.expression !== from) return at;
    from = at;
  }
  return undefined;
}

/** The function around a node that is called by its name. */
function ownerOf(node: Node): ts.FunctionDeclaration | ts.ArrowFunction | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if ((ts.isFunctionDeclaration(at) || ts.isArrowFunction(at)) && functionName(at) !== undefined) return at;
  }
  return undefined;
}

function enclosingBlock(node: Node): Node {
  let at = node.parent;
  while (!ts.isBlock(at) && !ts.isSourceFile(at)) at = at.parent;
  return at;
}

/** The declaration of a name in its own file: the nearest around it. */
function declarationOf(
  name: ts.Identifier,
): ts.VariableDeclaration | ts.ParameterDeclaration | ts.FunctionDeclaration | undefined {
  for (let at: Node | undefined = name.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionLike(at)) {
      const parameter = at.parameters.find((each) => declares(each.name, name.text));
      if (parameter !== undefined && ts.isParameter(parameter)) return parameter;
    }
    if (!ts.isBlock(at) && !ts.isSourceFile(at)) continue;
    for (const statement of at.statements) {
      if (ts.isFunctionDeclaration(statement) && statement.name?.text === name.text) return statement;
      if (!ts.isVariableStatement(statement)) continue;
      const found = statement.declarationList.declarations.find((each) => declares(each.name, name.text));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function declares(name: ts.BindingName, text: string): boolean {
  if (ts.isIdentifier(name)) return name.text === text;
  return name.elements.some((element) => !ts.isOmittedExpression(element) && declares(element.name, text));
}

function isConstant(declaration: ts.VariableDeclaration): boolean {
  return (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
}

function returnedBy(node: ts.FunctionLikeDeclaration): ts.Expression[] {
  const { body } = node;
  if (body === undefined) throw new Unreadable("a function without a body");
  if (!ts.isBlock(body)) return [body];
  const results: ts.Expression[] = [];
  const look = (at: Node): void => {
    if (ts.isFunctionLike(at)) return;
    if (ts.isReturnStatement(at) && at.expression !== undefined) results.push(at.expression);
    ts.forEachChild(at, look);
  };
  ts.forEachChild(body, look);
  return results;
}

function functionName(node: ts.FunctionLikeDeclaration): string | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name?.text;
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : undefined;
}

function nameAround(node: Node): string {
  let name = "";
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionDeclaration(at) && at.name !== undefined) name = at.name.text;
    else if (ts.isMethodDeclaration(at)) name = at.name.getText();
    else if (ts.isVariableDeclaration(at) && ts.isSourceFile(at.parent.parent.parent))
      name = at.name.getText();
  }
  return name;
}

function nameOf(name: ts.PropertyName | undefined): string {
  if (name === undefined) return "";
  return ts.isStringLiteral(name) || ts.isIdentifier(name) || ts.isNumericLiteral(name)
    ? name.text
    : name.getText();
}
