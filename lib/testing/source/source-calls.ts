import ts from "typescript";
import { SourceNames } from "@/lib/testing/source/source-names";
import { nameOf, returnedBy } from "@/lib/testing/source/source-syntax";
import {
  type Env,
  LazyFunction,
  LazyObject,
  limitValues,
  textOf,
  Unreadable,
  type Value,
} from "@/lib/testing/source/source-values";

type Node = ts.Node;

const SOME_NUMBER = /^(randomInt|Math\.\w+)$/;

/** Evaluates calls of functions in the source, and of the methods of arrays, strings and Object. */
export abstract class SourceCalls extends SourceNames {
  protected call(node: ts.CallExpression, env: Env): Value[] {
    // The statement is the same for every number, so any number will do.
    if (SOME_NUMBER.test(node.expression.getText())) return [1];
    if (ts.isPropertyAccessExpression(node.expression)) return this.#method(node, node.expression, env);
    return this.evaluate(node.expression, env).flatMap((callee) => {
      if (!(callee instanceof LazyFunction)) throw new Unreadable(`call: ${node.getText().slice(0, 80)}`);
      return this.apply(
        callee,
        node.arguments.map((argument) => () => this.evaluate(argument, env)),
      );
    });
  }

  protected apply(callee: LazyFunction, given: ((env: Env) => Value[])[]): Value[] {
    return this.parametersBound(callee.node, given, callee.env).flatMap((env) =>
      returnedBy(callee.node).flatMap((result) => this.evaluate(result, env)),
    );
  }

  protected parametersBound(
    owner: ts.FunctionLikeDeclaration,
    given: ((env: Env) => Value[])[],
    outer: Env,
  ): Env[] {
    let envs: Env[] = [outer];
    for (const [at, parameter] of owner.parameters.entries()) {
      const { initializer } = parameter;
      const valuesIn =
        given[at] ?? ((env: Env) => (initializer === undefined ? [] : this.evaluate(initializer, env)));
      envs = limitValues(envs.flatMap((env) => this.#bindGiven(parameter, valuesIn, env)));
    }
    return envs;
  }

  #bindGiven(parameter: ts.ParameterDeclaration, valuesIn: (env: Env) => Value[], env: Env): Env[] {
    try {
      const values = valuesIn(env);
      return values.length === 0 ? [env] : values.flatMap((value) => this.bind(parameter.name, value, env));
    } catch (error) {
      // The value matters only to text that uses the parameter.
      if (error instanceof Unreadable) return [env];
      throw error;
    }
  }

  #method(node: ts.CallExpression, callee: ts.PropertyAccessExpression, env: Env): Value[] {
    const method = callee.name.text;
    if (callee.expression.getText() === "Object") {
      const [argument] = node.arguments;
      if (argument === undefined) throw new Unreadable("Object without an argument");
      return this.evaluate(argument, env).map((value) => this.#entries(method, value));
    }
    return this.evaluate(callee.expression, env).flatMap((target) => {
      const given = node.arguments.map((argument) => this.evaluate(argument, env)[0]);
      return this.#methodOf(target, method, given, node);
    });
  }

  #entries(method: string, value: Value): Value {
    const keys = this.keysOf(value);
    if (method === "keys") return keys;
    const first = (key: string) => this.property(value, key)[0] ?? null;
    if (method === "values") return keys.map(first);
    if (method === "entries") return keys.map((key) => [key, first(key)]);
    throw new Unreadable(`Object.${method}`);
  }

  protected keysOf(value: Value): string[] {
    if (!(value instanceof LazyObject)) throw new Unreadable("the keys of what is no object literal");
    return value.node.properties.map((property) => nameOf(property.name));
  }

  #methodOf(target: Value, method: string, given: (Value | undefined)[], node: Node): Value[] {
    const [first] = given;
    if (Array.isArray(target)) {
      if (method === "slice") return [target.slice(...given.map(Number))];
      if (method === "filter" && first instanceof LazyFunction)
        return [target.filter((item) => this.apply(first, [() => [item]])[0] === true)];
      if (method === "reduce" && first instanceof LazyFunction)
        return [
          target.reduce(
            (sum, item) => this.apply(first, [() => [sum], () => [item]])[0] ?? null,
            given[1] ?? null,
          ),
        ];
      if (method === "join") return [target.map(textOf).join(first === undefined ? "," : textOf(first))];
      if (method === "map" && first instanceof LazyFunction)
        return [target.map((item, at) => this.apply(first, [() => [item], () => [at]])[0] ?? null)];
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
        this.apply(
          by,
          groups.map((group) => () => [group]),
        )[0] ?? "",
      ),
    );
  }
}
