import type { paths as ApiPaths, webhooks } from "@/.generated/api-types";
import type { paths as SimulatorPaths } from "@/.generated/simulator-types";

type Paths = ApiPaths & SimulatorPaths;
type Method = "get" | "post" | "put" | "patch" | "delete";
type NameOf<Path extends keyof Paths & string> = {
  [M in Method]: Paths[Path] extends Record<M, object> ? `${Uppercase<M>} ${Path}` : never;
}[Method];

/** The name of an operation of the API or the simulator, such as `POST /v3/chats/{chatId}/messages`. */
export type OperationName = { [Path in keyof Paths & string]: NameOf<Path> }[keyof Paths & string];

type Operation<Name extends OperationName> = Name extends `${infer M} ${infer Path}`
  ? Path extends keyof Paths
    ? Lowercase<M> extends keyof Paths[Path]
      ? Paths[Path][Lowercase<M>]
      : never
    : never
  : never;

type JsonOf<Content> = Content extends { content: { "application/json": infer Json } } ? Json : undefined;
type Success = 200 | 201 | 202 | 204;

/** The body of a successful response of an operation; `undefined` if it has none. */
export type ResponseOf<Name extends OperationName> =
  Operation<Name> extends { responses: infer Responses }
    ? JsonOf<Responses[Extract<keyof Responses, Success>]>
    : never;

/** The body of a request of an operation. */
export type BodyOf<Name extends OperationName> =
  Operation<Name> extends { requestBody?: infer Body } ? JsonOf<Exclude<Body, undefined>> : undefined;

type PartOf<Name extends OperationName, Part extends "path" | "query"> =
  Operation<Name> extends { parameters: infer Parameters }
    ? Part extends keyof Parameters
      ? Exclude<Parameters[Part], undefined>
      : undefined
    : undefined;

type Optional<Value> = undefined extends Value ? true : object extends Value ? true : false;
type Field<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: never }
  : Optional<Value> extends true
    ? { [K in Key]?: Value }
    : { [K in Key]: Value };

/** The parameters and the body of an operation. */
export type RequestOf<Name extends OperationName> = Field<"path", PartOf<Name, "path">> &
  Field<"query", PartOf<Name, "query">> &
  Field<"body", BodyOf<Name>>;

/** The name of a webhook event type, such as `message.received`. */
export type EventType = keyof webhooks;

/** The kit subscribes to the newest payload version. */
type Newest<Envelope> = Envelope extends { webhook_version: "2025-01-01" } ? never : Envelope;

/** A webhook event: its envelope with the data of its type. */
export type EventOf<Type extends EventType> = webhooks[Type] extends {
  post: { requestBody?: { content: { "application/json": infer Envelope } } };
}
  ? Newest<Envelope>
  : never;
