/** A node of PostgreSQL's analyzed tree: its tag and its fields. Numbers are text. */
export interface TreeNode {
  tag: string;
  [field: string]: TreeValue | undefined;
}

export type TreeValue = string | null | TreeNode | TreeValue[];

const TOKEN = /\s*([{}()]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s{}()\\])+)/gy;

/** Parses the text form of `pg_node_tree`. A field with several values is a list. */
export function parseNodeTree(text: string): TreeValue {
  let at = 0;
  const peek = (): { token: string; end: number } => {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error("the tree of a statement ends early");
    return { token: match[1] as string, end: TOKEN.lastIndex };
  };
  const next = (): string => {
    const { token, end } = peek();
    at = end;
    return token;
  };
  const value = (): TreeValue => {
    const token = next();
    if (token === "{") return node();
    if (token !== "(") return token === "<>" ? null : token;
    const items: TreeValue[] = [];
    while (peek().token !== ")") items.push(value());
    next();
    return items;
  };
  const node = (): TreeNode => {
    const made: TreeNode = { tag: next() };
    let field = "";
    while (peek().token !== "}") {
      if (/^:./.test(peek().token)) {
        field = next().slice(1);
        made[field] = undefined;
        continue;
      }
      const item = value();
      const earlier = made[field];
      made[field] = earlier === undefined ? item : [...listOf(earlier), item];
    }
    next();
    return made;
  };
  return value();
}

/** A field as a list: an absent one is empty. */
export function listOf(value: TreeValue | undefined): TreeValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** The nodes of a field. */
export function nodesOf(value: TreeValue | undefined): TreeNode[] {
  return listOf(value).filter(isNode);
}

/** The node of a field; undefined if it has none. */
export function nodeOf(value: TreeValue | undefined): TreeNode | undefined {
  return value !== undefined && isNode(value) ? value : undefined;
}

function isNode(value: TreeValue): value is TreeNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first node with a tag, depth first. */
export function findNode(value: TreeValue, tag: string): TreeNode | undefined {
  for (const node of nodesOf(value)) if (node.tag === tag) return node;
  for (const item of Array.isArray(value) ? value : []) {
    const found = findNode(item, tag);
    if (found !== undefined) return found;
  }
  return undefined;
}
