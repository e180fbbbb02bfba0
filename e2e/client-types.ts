import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { createGenerator } from "ts-json-schema-generator";

const DECLARATIONS = path.resolve("node_modules/@linqapp/sdk/resources");
const CLASS = /export declare class \w+ extends APIResource \{([\s\S]*?)\n\}/g;
const METHOD = /^ {4}(\w+)\([\s\S]*?\): ([^;{}]+);$/gm;

/** A method of the official client, from its type declarations. */
interface ClientMethod {
  /** The name in calls: `chats.messages.send`. */
  name: string;
  /** The type of the response, or of each item for paged responses; null for `void`. */
  answers: string | null;
}

/**
 * Reads every method of every resource from the declarations, so that methods of a later client version are included.
 */
export function clientMethods(): ClientMethod[] {
  return declarationFiles().flatMap((file) => {
    const text = readFileSync(path.join(DECLARATIONS, file), "utf8");
    return [...text.matchAll(CLASS)].flatMap(([, body = ""]) =>
      [...body.matchAll(METHOD)].map(([, method, returned = ""]) => ({
        name: `${resourceOf(file)}.${method}`,
        answers: typeOf(returned),
      })),
    );
  });
}

function declarationFiles(): string[] {
  return readdirSync(DECLARATIONS, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".d.ts"),
  );
}

// chats/chats.d.ts is client.chats, chats/typing.d.ts client.chats.typing, phone-numbers.d.ts client.phoneNumbers.
function resourceOf(file: string): string {
  const [folder, name = folder] = file.replace(/\.d\.ts$/, "").split(path.sep);
  const names = name === folder ? [name] : [folder, name];
  return names
    .map((word = "") => word.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .join(".");
}

// APIPromise<MessagesAPI.Message>, PagePromise<ChatsListChatsPagination, Chat>, APIPromise<void>
function typeOf(returned: string): string | null {
  const inner = returned.match(/<(?:\w+, )?(?:\w+\.)?(\w+)>$/)?.[1] ?? returned;
  return inner === "void" ? null : inner;
}

/**
 * Returns a function that describes how a response violates a type of the client; null if it conforms. Additional
 * fields are allowed.
 */
export function clientTypeChecker(): (type: string, answer: unknown) => string | null {
  const generator = createGenerator({
    path: path.join(DECLARATIONS, "**/*.d.ts"),
    skipTypeCheck: true,
    additionalProperties: true,
  });
  const ajv = new Ajv({ strict: false, allErrors: true });
  const compiled = new Map<string, ValidateFunction>();

  return (type, answer) => {
    const validate = compiled.get(type) ?? ajv.compile(withEveryEvent(generator.createSchema(type)));
    compiled.set(type, validate);
    validate(answer);
    const wrong = (validate.errors ?? []).filter((error) => !isSpecifiedOtherwise(type, error.instancePath));
    return wrong.length === 0 ? null : `${type}: ${ajv.errorsText(wrong)}`;
  };
}

// In the deprecated list of lines, the specification allows null; and `doc_url` points to Trunkline's own
// documentation.
const SPECIFIED_OTHERWISE: Readonly<Record<string, RegExp>> = {
  PhonenumberListResponse: /\/(country_code|type)$/,
  WebhookEventListResponse: /\/doc_url$/,
};

function isSpecifiedOtherwise(type: string, path: string): boolean {
  return SPECIFIED_OTHERWISE[type]?.test(path) === true;
}

// The client predates some events, so its type does not list their names.
function withEveryEvent(schema: ReturnType<ReturnType<typeof createGenerator>["createSchema"]>) {
  const { WebhookEventType: known, ...others } = schema.definitions ?? {};
  return known === undefined
    ? schema
    : { ...schema, definitions: { ...others, WebhookEventType: { type: "string" } } };
}
