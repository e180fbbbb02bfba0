import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { Unreadable } from "@/lib/testing/source/source-values";

type Node = ts.Node;

/** Returns the statement of a `.query(…)` call, or undefined for any other node. */
export function sentBy(node: Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  return node.expression.name.text === "query" && node.arguments.length > 0 ? node.arguments[0] : undefined;
}

export function sourcePaths(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("/platform/prisma/") && !file.includes("/lib/testing/"))
    .sort();
}

export function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
}

export function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** Returns the `for … of` loop around a node within its function. */
export function enclosingLoop(node: Node): ts.ForOfStatement | undefined {
  let from = node;
  for (let at = node.parent; at !== undefined && at !== ownerOf(node); at = at.parent) {
    if (ts.isForOfStatement(at) && at.expression !== from) return at;
    from = at;
  }
  return undefined;
}

/** Returns the named function around a node. */
export function ownerOf(node: Node): ts.FunctionDeclaration | ts.ArrowFunction | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if ((ts.isFunctionDeclaration(at) || ts.isArrowFunction(at)) && functionName(at) !== undefined) return at;
  }
  return undefined;
}

export function enclosingBlock(node: Node): Node {
  let at = node.parent;
  while (!ts.isBlock(at) && !ts.isSourceFile(at)) at = at.parent;
  return at;
}

/** Returns the nearest enclosing declaration of a name in its file. */
export function declarationOf(
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

export function isConstant(declaration: ts.VariableDeclaration): boolean {
  return (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
}

export function returnedBy(node: ts.FunctionLikeDeclaration): ts.Expression[] {
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

export function functionName(node: ts.FunctionLikeDeclaration): string | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name?.text;
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : undefined;
}

export function enclosingName(node: Node): string {
  let name = "";
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionDeclaration(at) && at.name !== undefined) name = at.name.text;
    else if (ts.isMethodDeclaration(at)) name = at.name.getText();
    else if (ts.isVariableDeclaration(at) && ts.isSourceFile(at.parent.parent.parent))
      name = at.name.getText();
  }
  return name;
}

export function nameOf(name: ts.PropertyName | undefined): string {
  if (name === undefined) return "";
  return ts.isStringLiteral(name) || ts.isIdentifier(name) || ts.isNumericLiteral(name)
    ? name.text
    : name.getText();
}
