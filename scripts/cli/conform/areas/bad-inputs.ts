import {
  type ApiDocument,
  isExtension,
  type Operation,
  resolve,
  type Schema,
} from "@/scripts/cli/conform/api-document";
import { NO_ID } from "@/scripts/cli/conform/send-guard";

/** An invalid request that is derived from the document. */
export interface BadInput {
  name: string;
  section: string;
  body?: unknown;
  raw?: string;
  headers?: Readonly<Record<string, string>>;
  path?: Readonly<Record<string, string>>;
  query?: string;
  status: number;
  codes?: readonly number[];
  /** Of a field that only Trunkline has: others ignore it, and accept the request. */
  isExtension?: true;
}

/**
 * The fields without which a send contains nothing. A server that overlooks another invalid field sends a message, which only an
 * account of the run's own may do.
 */
const CONTENT: Readonly<Record<string, readonly string[]>> = {
  "POST /v3/chats": ["to", "message"],
  "POST /v3/messages": ["to", "message"],
  "POST /v3/chats/{chatId}/messages": ["message"],
  "PATCH /v3/messages/{messageId}": ["text"],
  "POST /v3/messages/{messageId}/reactions": ["operation", "type"],
  "POST /v3/messages/{messageId}/update": ["layout"],
  "POST /v3/chats/{chatId}/voicememo": ["attachment_id"],
  "POST /v3/chats/{chatId}/polls": ["poll"],
  "POST /v3/messages/{messageId}/poll/options": ["options"],
  "POST /v3/messages/{messageId}/poll/votes": ["operation", "option_id"],
};

/** Codes of any operation, which say that a body or a required field is missing and not that a field is invalid. */
const OF_ANY_BODY = [1001, 1003];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Bodies that are not JSON, and fields that are missing or of the wrong type, too long, or not in an enumeration. `isOwn`: the
 * account is the run's own, so that a request that is wrongly accepted reaches no one.
 */
export function badBodies(
  document: ApiDocument,
  operation: Operation,
  { example, isOwn }: { example: unknown; isOwn: boolean },
): BadInput[] {
  if (operation.body === null) return [];
  const malformed: BadInput[] = [
    { name: "malformed JSON", section: "1.2", raw: '{"', status: 400, codes: [1003] },
    {
      ...{ name: "a compressed body", section: "1.2", raw: "{}", status: 415, codes: [1003] },
      headers: { "content-encoding": "gzip" },
    },
  ];
  const schema = resolve(document, operation.body);
  if (schema.properties === undefined || typeof example !== "object" || example === null) return malformed;
  const valid = example as Fields;
  const { required = [], properties } = schema;
  const content = CONTENT[operation.name];
  const isSafe = (name: string) =>
    isOwn || (!isExtension(properties[name]) && (content === undefined || content.includes(name)));
  const missing = required.filter(isSafe).map((name): BadInput => {
    const { [name]: _, ...rest } = valid;
    return { name: `without ${name}`, section: "1.2", body: rest, status: 400, codes: [1001] };
  });
  const names = Object.keys(properties).filter(isSafe);
  return [
    ...malformed,
    { name: "a list as body", section: "1.2", body: [], status: 400, codes: [1003] },
    ...missing,
    ...names.flatMap((name) =>
      badFields(document, operation, { name, written: properties[name] ?? {}, valid }),
    ),
  ];
}

interface Field {
  name: string;
  written: Schema;
  /** A valid body. */
  valid: Fields;
}

/** The body with each value of a field that its schema excludes. */
function badFields(document: ApiDocument, operation: Operation, { name, written, valid }: Field): BadInput[] {
  return badValues(document, written).map(
    ([what, value]): BadInput => ({
      ...{ name: `${name} ${what}`, section: "1.2", status: 400, body: { ...valid, [name]: value } },
      codes: codesOf(operation, name),
      ...(isExtension(written) && { isExtension: true as const }),
    }),
  );
}

/** An invalid field of a message is 1004, any other 1005 or a code of the operation. */
function codesOf({ responses }: Operation, name: string): number[] {
  if (name === "message") return [1004];
  const documented = responses.get(400)?.codes ?? [];
  return [...new Set([1005, ...documented.filter((code) => !OF_ANY_BODY.includes(code))])];
}

/** Values that a schema excludes. */
function badValues(document: ApiDocument, written: Schema): [string, unknown][] {
  const schema = resolve(document, written);
  if (schema.anyOf !== undefined || schema.oneOf !== undefined) return [];
  const types = [schema.type ?? []].flat();
  const values: [string, unknown][] = [];
  if (types.includes("string")) values.push(["of the wrong type", { wrong: true }]);
  else if (types.length > 0) values.push(["of the wrong type", "wrong"]);
  if (schema.enum !== undefined) values.push(["outside of its values", "no_such_value"]);
  if (schema.maxLength !== undefined && schema.maxLength <= 20_000) {
    values.push(["too long", "x".repeat(schema.maxLength + 1)]);
  }
  if (schema.minItems !== undefined && schema.minItems > 0) values.push(["empty", []]);
  return values;
}

/** IDs that are no UUID or exist nowhere, and limits and cursors that no list accepts. */
export function badParameters(operation: Operation, unknownId: string): BadInput[] {
  const ids = operation.parameters.filter(
    ({ in: place, schema }) => place === "path" && schema.format === "uuid",
  );
  const malformed = ids.map(
    ({ name }): BadInput => ({
      ...{ name: `${name} that is no UUID`, section: "3.1", status: 400, codes: [1005] },
      path: { [name]: NO_ID },
    }),
  );
  const notFound = operation.responses.get(404);
  const [firstId] = ids;
  const unknown: BadInput[] =
    firstId === undefined || notFound === undefined
      ? []
      : [
          {
            ...{ name: `an unknown ${firstId.name}`, section: "3.1" },
            ...{ status: 404, codes: notFound.codes },
            path: Object.fromEntries(ids.map(({ name }) => [name, unknownId])),
          },
        ];
  const query = operation.parameters.filter(({ in: place }) => place === "query");
  const bad = (text: string): BadInput => ({
    ...{ name: text, section: "1.6", query: text, status: 400, codes: [1005] },
    ...(query.some((one) => text.startsWith(`${one.name}=`) && isExtension(one)) && {
      isExtension: true as const,
    }),
  });
  const limit = query.find(({ name }) => name === "limit");
  const limits = limit === undefined ? [] : ["limit=0", `limit=${maximumOf(limit) + 1}`, "limit=many"];
  const cursors = query.some(({ name }) => name === "cursor") ? ["cursor=no-such-cursor"] : [];
  return [...malformed, ...unknown, ...[...limits, ...cursors].map(bad)];
}

/** The largest page, which only the description of the parameter says. */
function maximumOf({ description = "" }: { description?: string }): number {
  return Number(/1 to (\d+)/.exec(description)?.[1] ?? 100);
}
