import "server-only";
import simulator from "@/openapi-simulator.json";

/** An operation of the simulator, as its page shows it. */
export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** The JSON Schema of its body; null where it takes none. */
  body: unknown;
}

/** Every operation of openapi-simulator.json, in its order. */
export function documentedOperations(): DocumentedOperation[] {
  return Object.entries(simulator.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      body: "requestBody" in operation ? operation.requestBody.content["application/json"].schema : null,
    })),
  );
}
