import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { CliError } from "@/scripts/cli/cli-error";
import { fieldOf } from "@/scripts/cli/conform/value-at";

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

interface Reference {
  $ref?: string;
}

interface Content extends Reference {
  content?: Readonly<Record<string, { schema?: Schema }>>;
  description?: string;
}

interface Parameter extends Reference {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema: Schema;
}

interface DocumentedOperation {
  parameters?: readonly Parameter[];
  requestBody?: Content;
  responses?: Readonly<Record<string, Content>>;
  "x-trunkline-extension"?: true;
  "x-trunkline-never-sent"?: true;
}

/** An OpenAPI document. */
export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  webhooks?: Readonly<Record<string, Reference & { post?: DocumentedOperation }>>;
  components: { schemas: Readonly<Record<string, Schema>> };
  /** The document of this package, whose required fields are more than the specification promises. */
  isPackaged?: boolean;
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
/** A document may refer to itself. */
const MAX_REFERENCES = 20;

/** Reads an OpenAPI document: the given file, or the one of this package. Errors: notRun. */
export function readApiDocument(named?: string): ApiDocument {
  const file = named ?? ownDocument();
  try {
    const { paths, components, ...document } = JSON.parse(readFileSync(file, "utf8")) as Partial<ApiDocument>;
    if (typeof paths !== "object" || paths === null) throw new Error("it has no paths");
    const schemas = components?.schemas ?? {};
    return { ...document, paths, components: { ...components, schemas }, isPackaged: named === undefined };
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
      return documented === undefined
        ? []
        : [toOperation(document, `${method.toUpperCase()} ${path}`, documented)];
    }),
  );
}

function toOperation(document: ApiDocument, name: string, documented: DocumentedOperation): Operation {
  const [method = "", path = ""] = name.split(" ");
  // A status such as 4XX or default says nothing about one of them.
  const statuses = Object.entries(documented.responses ?? {}).filter(([status]) => /^\d{3}$/.test(status));
  const responses = new Map(
    statuses.map(([status, written]) => [Number(status), toResponse(resolve(document, written))] as const),
  );
  const body = documented.requestBody === undefined ? undefined : resolve(document, documented.requestBody);
  return {
    name,
    method,
    path,
    isExtension: documented["x-trunkline-extension"] === true,
    parameters: (documented.parameters ?? [])
      .map((one) => resolve(document, one))
      .filter(({ schema }) => schema !== undefined),
    body: body?.content?.["application/json"]?.schema ?? null,
    responses,
    success: [...responses.keys()].find((status) => status < 300) ?? 200,
  };
}

function toResponse({ content = {}, description = "" }: Content): DocumentedResponse {
  const [first] = Object.entries(content);
  const codes = [...description.matchAll(/`(\d{4})`/g)].map((match) => Number(match[1]));
  return { schema: first?.[1].schema ?? null, contentType: first?.[0] ?? null, codes };
}

/** A part of a document, such as a schema, with its references followed: `#/components/responses/Unauthorized`. */
export function resolve<Part extends Reference>(document: ApiDocument, part: Part): Part {
  let found = part;
  for (let steps = 0; found.$ref !== undefined && steps < MAX_REFERENCES; steps++) {
    const names = found.$ref.replace(/^#\//, "").split("/");
    const next = names.reduce<unknown>(
      (value, name) => fieldOf(value, name.replaceAll("~1", "/").replaceAll("~0", "~")),
      document,
    );
    if (typeof next !== "object" || next === null) return found;
    found = next as Part;
  }
  return found;
}

/** Whether a field or a parameter is an addition of Trunkline, which other implementations do not know. */
export function isExtension(described: { description?: string } | undefined): boolean {
  return described?.description?.includes("Trunkline extension") === true;
}
