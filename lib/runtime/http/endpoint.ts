import "server-only";
import { requireFreshProof } from "@/lib/identity/sessions/require-fresh-proof";
import { requireScope } from "@/lib/identity/tokens/require-scope";
import type { Context } from "@/lib/platform/context";
import { BODY_LIMIT_BYTES, type Contract, type Input, type Output } from "@/lib/platform/contract";
import { inScope, newScope } from "@/lib/platform/database/database-scope";
import { fail } from "@/lib/platform/errors/errors";
import { readBody } from "@/lib/platform/http/read-body";
import { newRootTraceId } from "@/lib/platform/ids";
import { forReader } from "@/lib/platform/rights/redact-wallet-links";
import type { Guarded } from "@/lib/platform/rights/right";
import { requireRight } from "@/lib/platform/rights/role-rights";
import { hasFaults } from "@/lib/platform/sandbox/find-fault";
import { now } from "@/lib/platform/time/clock";
import { type Answer, toResponse } from "@/lib/runtime/http/answer";
import { performWithFaults } from "@/lib/runtime/http/apply-route-fault";
import { authenticateToken, type Caller, type OnCallerKnown } from "@/lib/runtime/http/authenticate";
import { errorAnswer } from "@/lib/runtime/http/error-response";
import { explainOutage } from "@/lib/runtime/http/explain-outage";
import { explainReset } from "@/lib/runtime/http/explain-reset";
import { type Finished, observe } from "@/lib/runtime/http/observe";
import { parseInput } from "@/lib/runtime/http/parse-input";

/** The second argument of a route called by Next or server.ts: the path parameters, encoded or already decoded. */
export interface RouteContext {
  params: Promise<Record<string, string>>;
}

export interface Route {
  (request: Request, route: RouteContext): Promise<Response>;
  contract: Contract;
}

/** `isRepeated`: the same request was authenticated before, and does not count twice against a limit. */
type Authenticate = (request: Request, recognised: OnCallerKnown, isRepeated: boolean) => Promise<Caller>;

/**
 * A person who is removed while a request runs can still complete it. The time in which a body arrives is the client's
 * choice, so it may add no more than this to that window. Most bodies arrive sooner and cost no second lookup.
 */
const PROMPT_BODY_MS = 250;

/** An authenticated request with its parsed input. */
export interface Call<C extends Contract> {
  ctx: Context;
  caller: Caller;
  input: Input<C>;
  request: Request;
}

// biome-ignore lint/style/noProcessEnv: the build replaces it, so production does not validate responses
const CHECK_ANSWERS = process.env.NODE_ENV !== "production";

type Run<C extends Contract> = (ctx: Context, input: Input<C>) => Promise<Output<C>>;

/**
 * Wraps an API operation as a route: trace id, authentication, right, parsing, run, response. Every failure is returned
 * in the error envelope with X-Trace-ID. The order of checks is part of the contract (architecture.md). The contract of
 * a route that is not for API tokens names the right that callers need.
 */
export function endpoint<C extends Contract>(contract: C, run: Run<C>): Route;
export function endpoint<C extends Contract & Guarded>(
  contract: C,
  run: Run<C>,
  authenticate: Authenticate,
): Route;
export function endpoint<C extends Contract>(
  contract: C,
  run: Run<C>,
  authenticate: Authenticate = authenticateToken,
): Route {
  return apiRoute(contract, authenticate, async ({ ctx, input }) =>
    success(contract, forReader(ctx, await run(ctx, input)), ctx.traceId),
  );
}

/** Like `endpoint`, for operations whose success response is not JSON: `succeed` creates the response. */
export function apiRoute<C extends Contract>(
  contract: C,
  authenticate: Authenticate,
  succeed: (call: Call<C>) => Promise<Answer>,
): Route {
  const route = async (request: Request, { params }: RouteContext): Promise<Response> => {
    const finished: Finished = { request, traceId: newRootTraceId(), startedAt: performance.now() };
    const answer = await inScope(newScope(), () => answerTo(finished, params));
    observe(finished, answer);
    return toResponse(request.method === "HEAD" ? await withoutStream(answer) : answer);
  };

  async function answerTo(finished: Finished, pathParams: RouteContext["params"]): Promise<Answer> {
    const { request, traceId } = finished;
    let input: Input<C> | undefined;
    try {
      const params = await pathParams;
      finished.params = params;
      // Rejected requests, such as rate-limited ones, are logged too once their caller is known.
      const admit = async (isRepeated: boolean) => {
        const recognised = (known: Caller) => {
          finished.caller = known;
        };
        const caller = await authenticate(request, recognised, isRepeated);
        requireScope(caller, contract, request.method);
        const ctx: Context = { ...caller, traceId, now: now() };
        finished.caller = caller;
        requireRight(ctx, contract.right);
        if (contract.sandboxOnly) requireSandboxAccount(ctx);
        if (contract.proof === true) requireFreshProof(ctx);
        return { caller, ctx };
      };
      let { caller, ctx } = await admit(false);
      const readFrom = performance.now();
      const text = await textOf(contract, request);
      finished.text = text;
      // A body may take seconds: a person who was removed or demoted meanwhile must not create a token with it.
      const isLate = performance.now() - readFrom > PROMPT_BODY_MS;
      if (isLate && ctx.actor.type === "user") ({ caller, ctx } = await admit(true));
      const perform = () => {
        const parsed = parseInput(contract, { url: request.url, params, headers: request.headers, text });
        input = parsed;
        if (changesProven(contract, parsed.body)) requireFreshProof(ctx);
        return succeed({ ctx, caller, input: parsed, request });
      };
      if (!hasFaults(ctx.account.id)) return await perform();
      return await performWithFaults(request, ctx.account.id, async () => perform());
    } catch (error) {
      const explained = await explainReset(error, finished.caller?.account);
      return errorAnswer(explainOutage(explained, { request, traceId, input }), traceId);
    }
  }

  return Object.assign(route, { contract });
}

/** A response to HEAD: nothing would read its stream, so the stream would never end. */
async function withoutStream({ stream, ...answer }: Answer): Promise<Answer> {
  await stream?.cancel();
  return answer;
}

/**
 * Combines a send with its dry run. Any `dry_run` value except `false` selects the dry run, whose contract accepts only
 * `true`, so an invalid value never sends.
 */
export function withDryRun(send: Route, dry: Route): Route {
  const route = (request: Request, context: RouteContext): Promise<Response> => {
    const asked = new URL(request.url).searchParams.getAll("dry_run");
    return asked.every((value) => value === "false") ? send(request, context) : dry(request, context);
  };
  return Object.assign(route, { contract: { ...send.contract, query: dry.contract.query } });
}

async function textOf(contract: Contract, request: Request): Promise<string> {
  if (contract.body === undefined) return "";
  return readBody(request, { limitBytes: contract.bodyLimitBytes ?? BODY_LIMIT_BYTES });
}

function changesProven({ proof }: Contract, body: unknown): boolean {
  if (!Array.isArray(proof) || typeof body !== "object" || body === null) return false;
  return Object.entries(body).some(([field, value]) => value !== undefined && proof.includes(field));
}

function requireSandboxAccount({ account }: Context): void {
  if (account.type !== "sandbox")
    fail("feature_not_available", "only sandbox accounts can use the simulator");
}

/** The successful response of an operation. */
export function success(contract: Contract, result: unknown, traceId: string): Answer {
  const { status, returns } = contract;
  if (returns === undefined) return { status, headers: { "x-trace-id": traceId }, text: null };
  const body = CHECK_ANSWERS ? returns.parse(result) : result;
  const headers = { "content-type": "application/json", "x-trace-id": traceId };
  return { status, headers, text: JSON.stringify(body), result };
}
