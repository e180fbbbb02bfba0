import "server-only";
import type { z } from "zod";
import type { ErrorName } from "@/lib/platform/errors";
import type { Right } from "@/lib/platform/right";
import type { TokenScope } from "@/lib/platform/token-scope";

/** What may come into one operation, what comes out and what it may fail with. OpenAPI and docs are made from it. */
export interface Contract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Returns extends z.ZodType = z.ZodType,
  Headers extends z.ZodType = z.ZodType,
> {
  /** The operation in a few words, for the API reference. */
  summary: string;
  /** What the operation does, its limits and what follows, in Markdown. Every operation of openapi.json has one. */
  description?: string;
  /** Groups operations in the API reference: Chats, Messages, … */
  tag: string;
  /**
   * What a person who is signed in must be allowed to do. `endpoint` and the pages check it; without one, only API tokens
   * may call the operation.
   */
  right?: Right;
  /** Production accounts get 403/2011 before anything is read. */
  sandboxOnly?: boolean;
  params?: Params;
  query?: Query;
  /** Of the request's headers, those it takes; names in lower case. */
  headers?: Headers;
  body?: Body;
  /** A body may be left out altogether. */
  bodyOptional?: boolean;
  /** Upper limit of the body. 1 MB unless the operation takes message content (contract.md 0). */
  bodyLimitBytes?: number;
  /** Absent for answers without a body. */
  returns?: Returns;
  /** In place of `returns`, for answers as server-sent events: the data of each. */
  streams?: z.ZodType;
  status: number;
  errors: readonly ErrorName[];
  /** The scopes of a token that cover this operation, where its tag and method do not decide (tokens/require-scope.ts). */
  scopes?: readonly TokenScope[];
  /** Ours, not in the specification: marked `x-trunkline-extension` in openapi.json. */
  extension?: boolean;
}

/** The parsed input of a contract: params, query and body by name, `undefined` where the contract has none. */
export type Input<C extends Contract> = {
  params: C["params"] extends z.ZodType ? z.output<C["params"]> : undefined;
  query: C["query"] extends z.ZodType ? z.output<C["query"]> : undefined;
  body: C["body"] extends z.ZodType ? z.output<C["body"]> : undefined;
} & (C["headers"] extends z.ZodType ? { headers: z.output<C["headers"]> } : unknown);

/** What an operation answers with, before it is written as JSON. */
export type Output<C extends Contract> = C["returns"] extends z.ZodType ? z.input<C["returns"]> : undefined;

/** Keeps a contract's literal types. */
export function contract<const C extends Contract>(definition: C): C {
  return definition;
}

export const MESSAGE_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
export const BODY_LIMIT_BYTES = 1024 * 1024;
