import "server-only";
import {
  type DocumentedOperation,
  type OpenApiDocument,
  readOperations,
} from "@/lib/runtime/docs/documented-operations";
import api from "@/openapi.json";

const document = api as unknown as OpenApiDocument;

/** A group of operations with its own reference page. */
export interface ReferenceGroup {
  slug: string;
  name: string;
  description: string;
  operations: DocumentedOperation[];
}

/** The groups of openapi.json that contain operations, by name. */
export function referenceGroups(): ReferenceGroup[] {
  return document.tags
    .map(({ name, description }) => ({
      slug: name.toLowerCase().replaceAll(" ", "-"),
      name,
      description,
      operations: readOperations(document, name),
    }))
    .filter(({ operations }) => operations.length > 0);
}
