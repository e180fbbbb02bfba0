import "server-only";
import type { Route, RouteContext } from "@/lib/runtime/http/endpoint";

/**
 * A send's route with its dry run. Any value of `dry_run` but `false` goes to the dry run, whose contract takes only
 * `true`: an invalid value must not send.
 */
export function withDryRun(send: Route, dry: Route): Route {
  const route = (request: Request, context: RouteContext): Promise<Response> => {
    const asked = new URL(request.url).searchParams.getAll("dry_run");
    return asked.every((value) => value === "false") ? send(request, context) : dry(request, context);
  };
  return Object.assign(route, { contract: { ...send.contract, query: dry.contract.query } });
}
