import "server-only";
import { type DocumentedField, fieldsOf } from "@/lib/docs/reference/fields-of";

interface Parameter {
  name: string;
  description: string;
  required: boolean;
  schema: Record<string, unknown>;
}
interface Body {
  schema: unknown;
  example: unknown;
}
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Body> };
  responses: Record<string, { content?: Record<string, Body> }>;
}

interface DocumentedBody {
  fields: DocumentedField[];
  example: unknown;
}

export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: DocumentedField[];
  /** null for an operation without a request body. */
  body: DocumentedBody | null;
  /** The success response with its status; null when the response has no body. */
  answer: (DocumentedBody & { status: string }) | null;
}

/** The parts of an OpenAPI document that pages show. */
export interface OpenApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Schemas };
}

type Schemas = Readonly<Record<string, Record<string, unknown>>>;

/** The operations of a document in document order; with `tag`, only those with this tag. */
export function readOperations({ paths, components }: OpenApiDocument, tag?: string): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tag === undefined || tags.includes(tag))
      .map(([method, operation]) => toDocumented({ method, path, operation, schemas: components.schemas })),
  );
}

interface Place {
  method: string;
  path: string;
  operation: Operation;
  schemas: Schemas;
}

function toDocumented({ method, path, operation, schemas }: Place): DocumentedOperation {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const [status = "", success] = Object.entries(responses).find(([each]) => each.startsWith("2")) ?? [];
  const body = toBody(requestBody?.content, schemas);
  const answer = toBody(success?.content, schemas);
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    parameters: parameters.map(({ name, required, schema, description }) => ({
      name,
      type: String(schema.type ?? "string"),
      isRequired: required,
      description,
    })),
    body,
    answer: answer === null ? null : { ...answer, status },
  };
}

function toBody(content: Record<string, Body> | undefined, schemas: Schemas): DocumentedBody | null {
  const [body] = Object.values(content ?? {});
  return body === undefined ? null : { fields: fieldsOf(body.schema, schemas), example: body.example };
}
