import "server-only";
import type { Context } from "@/lib/platform/context";
import type { Contract, Input } from "@/lib/platform/contract";
import type { Guarded } from "@/lib/platform/rights/right";
import { exportArchive } from "@/lib/privacy/export/export-archive";
import type { ExportScope } from "@/lib/privacy/export/read-rows";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { apiRoute, type Route } from "@/lib/runtime/http/endpoint";

/** Like `endpoint`, for a dashboard operation that returns an archive: `open` checks the request and says of what. */
export function archiveEndpoint<C extends Contract & Guarded>(
  contract: C,
  open: (ctx: Context, input: Input<C>) => Promise<ExportScope>,
): Route {
  return apiRoute(contract, authenticateSession, async ({ ctx, input }) => {
    const scope = await open(ctx, input);
    return {
      status: contract.status,
      headers: {
        "content-type": "application/zip",
        "content-disposition": `attachment; filename="${filenameOf(scope, ctx.now)}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-trace-id": ctx.traceId,
      },
      text: null,
      stream: exportArchive(scope),
    };
  });
}

function filenameOf({ handle }: ExportScope, at: Date): string {
  const subject = handle === null ? "account" : handle.replaceAll(/[^A-Za-z0-9.@_-]/g, "");
  return `trunkline-${subject}-${at.toISOString().slice(0, 10)}.zip`;
}
