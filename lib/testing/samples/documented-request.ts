import Ajv, { type AnySchema } from "ajv/dist/2020";
import api from "@/openapi.json";
import simulator from "@/openapi-simulator.json";

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: AnySchema }> };
}
type Document = { paths: Record<string, Record<string, Operation>>; components?: { schemas: object } };

const DOCUMENTS = [api, simulator] as unknown as Document[];
const SCHEMAS = new Map(
  DOCUMENTS.map((document) => [document, new Ajv({ strict: false, validateFormats: false })]),
);
for (const [document, ajv] of SCHEMAS) ajv.addSchema({ $id: "api", components: document.components });

/** A request in a document. The path has values or `{parameters}`, and may have a query. */
interface DocumentedRequest {
  method: string;
  path: string;
  body?: unknown;
}

/** Returns why a request is not a valid request of openapi.json or openapi-simulator.json; null for a valid one. */
export function requestProblem({ method, path, body }: DocumentedRequest): string | null {
  const [pathname = "", query = ""] = path.split("?");
  const found = findOperation(method, pathname);
  if (found === null) return `${method} ${path} is not an operation`;
  const { document, operation } = found;
  const known = operation.parameters?.filter((each) => each.in === "query").map(({ name }) => name) ?? [];
  const unknown = [...new URLSearchParams(query).keys()].filter((name) => !known.includes(name));
  if (unknown.length > 0) return `${method} ${path} has no parameter ${unknown.join(", ")}`;
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if ((schema === undefined) !== (body === undefined)) return `${method} ${path} has a body, or lacks one`;
  if (schema === undefined) return null;
  const ajv = SCHEMAS.get(document);
  const isValid = ajv?.validate(withAbsoluteReferences(schema), body);
  return isValid ? null : `${method} ${path}: ${ajv?.errorsText()}`;
}

function findOperation(method: string, path: string): { document: Document; operation: Operation } | null {
  for (const document of DOCUMENTS) {
    const template = Object.keys(document.paths).find((known) => known === path || isTemplateOf(known, path));
    const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
    if (operation !== undefined) return { document, operation };
  }
  return null;
}

/** Whether a path has a value for each `{parameter}` of a template. A document may show the parameter itself. */
function isTemplateOf(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((segment, at) =>
      segment.startsWith("{") ? given[at] !== "" && !given[at]?.startsWith("{") : segment === given[at],
    )
  );
}

/** A schema whose references lead into the document's components. */
function withAbsoluteReferences(schema: AnySchema): AnySchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'));
}
