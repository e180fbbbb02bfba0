import "server-only";
import type { z } from "zod";
import type { Route, RouteContext } from "@/lib/http/endpoint";

/** A send's route with its dry run: `?dry_run=true` asks for that. `query` = how the reference shows it. */
export function withDryRun(send: Route, dry: Route, query: z.ZodType): Route {
  const route = (request: Request, context: RouteContext): Promise<Response> => {
    const isDry = new URL(request.url).searchParams.get("dry_run") === "true";
    return isDry ? dry(request, context) : send(request, context);
  };
  return Object.assign(route, { contract: { ...send.contract, query } });
}
