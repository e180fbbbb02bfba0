import "server-only";
import {
  type DocumentedOperation,
  type OpenApiDocument,
  readOperations,
} from "@/lib/runtime/docs/documented-operations";
import simulator from "@/openapi-simulator.json";

/** Every operation of openapi-simulator.json, in document order. */
export function documentedOperations(): DocumentedOperation[] {
  return readOperations(simulator as unknown as OpenApiDocument);
}
