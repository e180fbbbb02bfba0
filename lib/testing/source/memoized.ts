import { EvaluationTooDeep, Unreadable, type Value } from "@/lib/testing/source/source-values";

/**
 * Calls `find` once for each node and name, and caches the values or the error. The depth limit error is not cached,
 * because it depends on where the evaluation began.
 */
export function memoized<Node extends object>(): (node: Node, name: string, find: () => Value[]) => Value[] {
  const found = new WeakMap<Node, Map<string, Value[] | Unreadable>>();
  return (node, name, find) => {
    const ofNode = found.get(node) ?? new Map<string, Value[] | Unreadable>();
    found.set(node, ofNode);
    const known = ofNode.get(name);
    if (known instanceof Unreadable) throw known;
    if (known !== undefined) return known;
    try {
      const values = find();
      ofNode.set(name, values);
      return values;
    } catch (error) {
      if (error instanceof Unreadable && !(error instanceof EvaluationTooDeep)) ofNode.set(name, error);
      throw error;
    }
  };
}
