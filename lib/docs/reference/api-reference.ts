import "server-only";
import {
  type DocumentedOperation,
  type OpenApiDocument,
  readOperations,
} from "@/lib/docs/reference/documented-operations";
import { inOrderOfUse } from "@/lib/docs/reference/order-of-use";
import api from "@/openapi.json";
import simulator from "@/openapi-simulator.json";

const document = api as unknown as OpenApiDocument;
const simulatorDocument = simulator as unknown as OpenApiDocument;

/** A group of operations with its own reference page. */
export interface ReferenceGroup {
  slug: string;
  name: string;
  description: string;
  operations: DocumentedOperation[];
}

/** The groups of openapi.json that contain operations, by name, and the operations of the simulator. */
export function referenceGroups(): ReferenceGroup[] {
  return [...groupsOf(document), ...groupsOf(simulatorDocument)];
}

function groupsOf(document: OpenApiDocument): ReferenceGroup[] {
  return document.tags
    .map(({ name, description }) => ({
      slug: name.toLowerCase().replaceAll(" ", "-"),
      name,
      description,
      operations: inOrderOfUse(readOperations(document, name)),
    }))
    .filter(({ operations }) => operations.length > 0);
}
