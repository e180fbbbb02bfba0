import "server-only";
import type { z } from "zod";
import type { ErrorName } from "@/lib/platform/errors/errors";
import type { Right } from "@/lib/platform/rights/right";
import type { TokenScope } from "@/lib/platform/rights/token-scope";

/** The input, the result and the errors of one operation. OpenAPI and the docs are generated from contracts. */
export interface Contract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Returns extends z.ZodType = z.ZodType,
  Headers extends z.ZodType = z.ZodType,
> {
  /** A short title of the operation for the API reference. */
  summary: string;
  /**
   * Describes the operation, its limits and its consequences in Markdown. Every operation of openapi.json has a
   * description.
   */
  description?: string;
  /** Groups operations in the API reference: Chats, Messages, … */
  tag: string;
  /**
   * The right that a signed-in person needs. `endpoint` and the pages check it. Without a right, only API tokens can
   * call the operation.
   */
  right?: Right;
  /**
   * The operation hands out data or credentials, can't be undone, or gives more access: people need a recent proof of
   * their identity, which `endpoint` checks. A list names the fields of the body that need it. API tokens of programs
   * always pass.
   */
  proof?: true | readonly string[];
  /** Production accounts get 403/2011 before the request is read. */
  sandboxOnly?: boolean;
  params?: Params;
  query?: Query;
  /** The request headers that the operation reads, in lower case. */
  headers?: Headers;
  body?: Body;
  /** The body is optional. */
  bodyOptional?: boolean;
  /** Maximum size of the body. 1 MB unless the operation accepts message content (docs/contract.md, section 1.2). */
  bodyLimitBytes?: number;
  /** Absent for responses without a body. */
  returns?: Returns;
  /** Replaces `returns` for streams of server-sent events: the data of each event. */
  streams?: z.ZodType;
  status: number;
  errors: readonly ErrorName[];
  /**
   * The token scopes that allow this operation, where tag and method do not determine them (tokens/require-scope.ts).
   */
  scopes?: readonly TokenScope[];
  /** An extension of the specification, marked `x-trunkline-extension` in openapi.json. */
  extension?: boolean;
}

/** The parsed input of a contract: params, query and body by name, `undefined` where the contract has none. */
export type Input<C extends Contract> = {
  params: C["params"] extends z.ZodType ? z.output<C["params"]> : undefined;
  query: C["query"] extends z.ZodType ? z.output<C["query"]> : undefined;
  body: C["body"] extends z.ZodType ? z.output<C["body"]> : undefined;
} & (C["headers"] extends z.ZodType ? { headers: z.output<C["headers"]> } : unknown);

/** The result of an operation before it is serialized as JSON. */
export type Output<C extends Contract> = C["returns"] extends z.ZodType ? z.input<C["returns"]> : undefined;

/** Keeps a contract's literal types. */
export function contract<const C extends Contract>(definition: C): C {
  return definition;
}

export const MESSAGE_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
export const BODY_LIMIT_BYTES = 1024 * 1024;
