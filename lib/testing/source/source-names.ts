import path from "node:path";
import ts from "typescript";
import { memoized } from "@/lib/testing/source/memoized";
import {
  declarationOf,
  enclosingBlock,
  functionName,
  isConstant,
  parse,
  sourcePaths,
  visit,
} from "@/lib/testing/source/source-syntax";
import { EMPTY, type Env, LazyFunction, Unreadable, type Value } from "@/lib/testing/source/source-values";

/** Resolves a name in the source: in its file, in the file that it is imported from, or in the calls that pass it. */
export abstract class SourceNames {
  readonly files: ts.SourceFile[];
  readonly #byPath: Map<string, ts.SourceFile>;
  readonly #calls = new Map<string, ts.CallExpression[]>();
  readonly #callsByOwner = new Map<ts.FunctionLikeDeclaration, ts.CallExpression[]>();
  readonly #constants = new Map<string, Value[] | Unreadable>();
  readonly #arguments = memoized<ts.ParameterDeclaration>();

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
        const calls = this.#calls.get(text);
        if (calls === undefined) this.#calls.set(text, [node]);
        else calls.push(node);
      });
    }
  }

  protected callsOf(owner: ts.FunctionLikeDeclaration): ts.CallExpression[] {
    const known = this.#callsByOwner.get(owner);
    if (known !== undefined) return known;
    const named = this.#calls.get(functionName(owner) ?? "") ?? [];
    const calls = named.filter((call) => this.isCallOf(call, owner));
    this.#callsByOwner.set(owner, calls);
    return calls;
  }

  protected bind(name: ts.BindingName, value: Value, env: Env): Env[] {
    if (ts.isIdentifier(name)) return [new Map([...env, [name.text, value]])];
    let bound = [env];
    for (const [at, element] of name.elements.entries()) {
      if (ts.isOmittedExpression(element)) continue;
      const key = ts.isArrayBindingPattern(name)
        ? String(at)
        : (element.propertyName ?? element.name).getText();
      let values: Value[];
      try {
        values = this.property(value, key);
      } catch (error) {
        if (error instanceof Unreadable) continue;
        throw error;
      }
      bound = bound.flatMap((each) => values.flatMap((item) => this.bind(element.name, item, each)));
    }
    return bound;
  }

  protected identifier(node: ts.Identifier, env: Env): Value[] {
    const bound = env.get(node.text);
    if (bound !== undefined) return [bound];
    const known = this.known[node.text];
    if (known !== undefined) return [known];
    const declaration = declarationOf(node);
    if (declaration === undefined) return this.imported(node);
    if (ts.isParameter(declaration)) {
      const { text } = node;
      return this.#arguments(declaration, text, () => this.#passed(declaration, text));
    }
    if (ts.isFunctionDeclaration(declaration)) return [new LazyFunction(declaration, EMPTY)];
    if (!isConstant(declaration)) throw new Unreadable(`${node.text} may change`);
    if (declaration.initializer === undefined)
      throw new Unreadable(`${node.text} has no value in the source`);
    const values = this.evaluate(declaration.initializer, env);
    if (ts.isIdentifier(declaration.name)) return this.#grown(declaration, values);
    return values.flatMap((value) =>
      this.bind(declaration.name, value, EMPTY).map((names) => {
        const found = names.get(node.text);
        if (found === undefined) throw new Unreadable(`${node.text} is not in the source`);
        return found;
      }),
    );
  }

  /** Throws Unreadable for a list that the code changes later, because its initial value is incomplete. */
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

  protected imported(node: ts.Identifier): Value[] {
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
          return this.evaluate(declaration.initializer, EMPTY);
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
    const calls = this.callsOf(owner);
    if (calls.length === 0) throw new Unreadable(`${name} is passed by a call that is not in the source`);
    const values = calls.flatMap((call) => {
      const argument = call.arguments[at] ?? parameter.initializer;
      if (argument === undefined) throw new Unreadable(`${name} is not passed`);
      return this.inLoops(argument, [EMPTY]).flatMap((env) => this.evaluate(argument, env));
    });
    if (ts.isIdentifier(parameter.name)) return values;
    return values.flatMap((value) =>
      this.bind(parameter.name, value, EMPTY).flatMap((names) => {
        const found = names.get(name);
        if (found === undefined) throw new Unreadable(`${name} is not passed`);
        return [found];
      }),
    );
  }

  protected isCallOf(call: ts.CallExpression, owner: ts.FunctionLikeDeclaration): boolean {
    if (!ts.isIdentifier(call.expression)) return false;
    const declaration = declarationOf(call.expression);
    if (declaration !== undefined)
      return (
        declaration === owner || (ts.isVariableDeclaration(declaration) && declaration.initializer === owner)
      );
    try {
      const [callee] = this.imported(call.expression);
      return callee instanceof LazyFunction && callee.node === owner;
    } catch (error) {
      if (error instanceof Unreadable) return false;
      throw error;
    }
  }

  /** The values an expression may have. Throws Unreadable. */
  protected abstract evaluate(node: ts.Expression, env: Env): Value[];

  /** The values a property of a value may have. Throws Unreadable. */
  protected abstract property(value: Value, key: string): Value[];

  /** Returns one environment for each iteration of the loops around a node. */
  protected abstract inLoops(node: ts.Node, envs: Env[]): Env[];
}
