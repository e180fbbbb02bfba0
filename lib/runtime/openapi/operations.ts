import "server-only";
import type { Contract } from "@/lib/platform/contract";
import type { Operation } from "@/lib/runtime/openapi/openapi";
import type { ApiRoute } from "@/lib/runtime/server/api-router";

/** Every operation in the route files that has a contract, by path and method. */
export function operationsOf(routes: readonly ApiRoute[]): Operation[] {
  return routes.flatMap(({ path, methods }) =>
    Object.entries(methods).flatMap(([method, handler]) => {
      const contract = contractOf(handler);
      return contract === null
        ? []
        : [{ method, path: path.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}"), contract }];
    }),
  );
}

function contractOf(handler: unknown): Contract | null {
  return typeof handler === "function" && "contract" in handler ? (handler.contract as Contract) : null;
}
