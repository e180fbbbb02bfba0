/** What orders an operation. */
interface Placed {
  method: string;
  path: string;
}

/**
 * Sorts the operations of a group as they are used: resource by resource, the shortest path first, and of each resource
 * create, retrieve, list, change, remove, then actions.
 */
export function inOrderOfUse<Each extends Placed>(operations: readonly Each[]): Each[] {
  const order = [...new Set(operations.map(resourceOf))].sort(
    (one, other) => segmentsOf(one) - segmentsOf(other),
  );
  return operations.toSorted(
    (one, other) =>
      order.indexOf(resourceOf(one)) - order.indexOf(resourceOf(other)) || rankOf(one) - rankOf(other),
  );
}

/** The path without the ID of one object at its end: `/v3/chats` for `/v3/chats/{chatId}`. */
function resourceOf({ path }: Placed): string {
  return path.replace(/\/\{[^/]+\}$/, "");
}

function segmentsOf(path: string): number {
  return path.split("/").length;
}

function rankOf(operation: Placed): number {
  const isObject = operation.path !== resourceOf(operation);
  const ranks: Partial<Record<string, number>> = isObject
    ? { GET: 1, PUT: 3, PATCH: 3, DELETE: 4, POST: 5 }
    : { POST: 0, GET: 2, PUT: 3, PATCH: 3, DELETE: 4 };
  return ranks[operation.method] ?? 5;
}
