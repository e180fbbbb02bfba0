import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { CliError } from "@/scripts/cli/cli-error";

/** A JSON schema of an OpenAPI 3.1 document, as far as `conform` reads it. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema | boolean;
  prefixItems?: readonly Schema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
  description?: string;
}

interface Content {
  content?: Readonly<Record<string, { schema: Schema }>>;
}
interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema: Schema;
}
interface DocumentedOperation {
  parameters?: readonly Parameter[];
  requestBody?: Content;
  responses: Readonly<Record<string, Content & { description: string }>>;
  "x-trunkline-extension"?: true;
}

/** An OpenAPI document. */
export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  webhooks?: Readonly<Record<string, { post: DocumentedOperation }>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

/** One response that an operation documents. */
interface DocumentedResponse {
  /** Null for a response without a body. */
  schema: Schema | null;
  contentType: string | null;
  /** The error codes of its description. */
  codes: readonly number[];
}

/** One operation of a document. */
export interface Operation {
  /** `GET /v3/chats/{chatId}` */
  name: string;
  method: string;
  path: string;
  isExtension: boolean;
  parameters: readonly Parameter[];
  body: Schema | null;
  responses: ReadonlyMap<number, DocumentedResponse>;
  /** The status of a success. */
  success: number;
}

const METHODS = ["get", "post", "put", "patch", "delete"];
const FILE = "openapi.json";
const MAX_PARENTS = 6;

/** Reads an OpenAPI document: the given file, or the one of this package. Errors: notRun. */
export function readApiDocument(file = ownDocument()): ApiDocument {
  try {
    const document = JSON.parse(readFileSync(file, "utf8")) as Partial<ApiDocument>;
    if (document.paths === undefined) throw new Error("it has no paths");
    return { ...document, paths: document.paths, components: document.components ?? { schemas: {} } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError("notRun", `${file} can't be read as an OpenAPI document: ${reason}`);
  }
}

function ownDocument(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  for (let parents = 0; parents < MAX_PARENTS; parents++, folder = path.dirname(folder)) {
    const found = path.join(folder, FILE);
    if (existsSync(found) && existsSync(path.join(folder, "package.json"))) return found;
  }
  throw new CliError("notRun", `This package has no ${FILE}. Name a document with --spec.`);
}

/** The operations of a document. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const documented = item[method];
      return documented === undefined ? [] : [toOperation(method.toUpperCase(), path, documented)];
    }),
  );
}

function toOperation(method: string, path: string, documented: DocumentedOperation): Operation {
  const responses = new Map(
    Object.entries(documented.responses).map(([status, { content = {}, description }]) => {
      const [[contentType, { schema }] = [null, { schema: null }]] = Object.entries(content);
      const codes = [...description.matchAll(/`(\d{4})`/g)].map((match) => Number(match[1]));
      return [Number(status), { schema, contentType, codes }] as const;
    }),
  );
  return {
    name: `${method} ${path}`,
    method,
    path,
    isExtension: documented["x-trunkline-extension"] === true,
    parameters: documented.parameters ?? [],
    body: documented.requestBody?.content?.["application/json"]?.schema ?? null,
    responses,
    success: [...responses.keys()].find((status) => status < 300) ?? 200,
  };
}

/** A schema, with its reference followed. */
export function resolve(document: ApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  const found = name === undefined ? undefined : document.components.schemas[name];
  return found === undefined ? schema : resolve(document, found);
}
