import "server-only";
import type { z } from "zod";
import { requireScope, type ScopedOperation } from "@/lib/identity/tokens/require-scope";
import type { Context } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import type { Caller } from "@/lib/runtime/http/authenticate";

/** A tool of the MCP server: one operation of the account, with its input and its rights. */
export interface McpTool {
  /** Snake case. Part of the interface: clients store it. */
  name: string;
  title: string;
  /** Says when to use the tool and what its result contains. Models read it. */
  description: string;
  input: z.ZodObject;
  /** The operation whose token scopes cover the tool, and the method that it has in the API. */
  operation: ScopedOperation;
  method: "GET" | "POST";
  /** Only sandbox accounts have the tool. */
  sandboxOnly: boolean;
  /** Whether a second identical call has no further effect. */
  isIdempotent: boolean;
  /** Whether a call can lose something that the caller may still need. */
  isDestructive: boolean;
  run(ctx: Context, input: unknown): Promise<object>;
}

type Definition<Schema extends z.ZodObject> = Omit<
  McpTool,
  "input" | "run" | "sandboxOnly" | "isIdempotent" | "isDestructive"
> & {
  input: Schema;
  sandboxOnly?: boolean;
  isIdempotent?: boolean;
  isDestructive?: boolean;
  run(ctx: Context, input: z.output<Schema>): Promise<object>;
};

/** Defines a tool. By default every account has it, only a tool that reads is idempotent, and none is destructive. */
export function mcpTool<Schema extends z.ZodObject>({ input, run, ...tool }: Definition<Schema>): McpTool {
  return {
    sandboxOnly: false,
    isIdempotent: tool.method === "GET",
    isDestructive: false,
    ...tool,
    input,
    run: (ctx, value) => run(ctx, input.parse(value)),
  };
}

/** Rejects a tool that the caller's account or token does not have. Errors: access_denied, feature_not_available. */
export function requireTool(tool: McpTool, caller: Caller): void {
  const { account } = caller;
  requireScope(caller, tool.operation, tool.method);
  if (tool.sandboxOnly && !env().SIMULATOR) {
    fail("feature_not_available", `this instance has no simulator, which the tool ${tool.name} needs`);
  }
  if (tool.sandboxOnly && account.type !== "sandbox") {
    fail("feature_not_available", `only sandbox accounts have the tool ${tool.name}`);
  }
}
