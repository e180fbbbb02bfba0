import "server-only";
import { limitRequests } from "@/lib/identity/tokens/limit-requests";
import type { CheckoutBranding } from "@/lib/payments/checkout/checkout-branding";
import { type Checkout, viewCheckout } from "@/lib/payments/checkout/checkout-view";
import type { Visit } from "@/lib/payments/checkout/render-checkout";
import { STRIPE_SCRIPT } from "@/lib/payments/checkout/render-field";
import { renderUnavailable, renderUnknownLink } from "@/lib/payments/checkout/render-notice";
import { findCheckout } from "@/lib/payments/requests/find-checkout";
import { inScope, newScope } from "@/lib/platform/database/database-scope";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { FORM_LIMIT_BYTES, readForm } from "@/lib/platform/http/read-body";
import { newTraceId, secretBytes } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { isOwnFrame } from "@/lib/runtime/customer-pages/is-own-frame";
import { keepLanguage, visitorLanguage } from "@/lib/runtime/customer-pages/visitor-language";
import type { RouteContext } from "@/lib/runtime/http/endpoint";
import { errorResponse } from "@/lib/runtime/http/error-response";
import { explainOutage } from "@/lib/runtime/http/explain-outage";

/** A payer's request, authenticated by the session in the checkout link. */
export interface CheckoutCall {
  request: Request;
  /** The form body; empty for a GET. */
  form: URLSearchParams;
  checkout: Checkout;
  visit: Visit;
}

type Run = (call: CheckoutCall) => Promise<Response>;

const SESSION_HEADER = "x-checkout-session";
const HIDDEN = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * Per payment request, across all instances. Stops pages that request in a loop; the 256 bits of a session can't be
 * guessed.
 */
const CALLS_A_MINUTE = 120;

/** A page of the hosted checkout. Errors are rendered as pages too. */
export function checkoutPage(run: Run) {
  const runOnPath = (call: CheckoutCall) => (isOnOwnPath(call) ? run(call) : redirectToOwnPath(call));
  return checkoutRoute(runOnPath, (error, visit, request) => {
    if (error instanceof ApiError && error.errorName === "payment_request_not_found") {
      return pageResponse(renderUnknownLink(visit.language, visit.nonce), {
        visit,
        branding: null,
        status: 404,
      });
    }
    if (!(error instanceof ApiError)) return null;
    const page = renderUnavailable(
      visit.language,
      visit.nonce,
      checkoutPath(new URL(request.url).pathname, visit),
    );
    return pageResponse(page, { visit, branding: null, status: error.row.status });
  });
}

// The path names the partner, so a link must not show another name. A form of a page opened before the partner was
// renamed is still accepted.
function isOnOwnPath({ request, checkout }: CheckoutCall): boolean {
  return request.method !== "GET" || slugOf(request.url) === checkout.branding.slug;
}

async function redirectToOwnPath(call: CheckoutCall): Promise<Response> {
  const { pathname, searchParams } = new URL(call.request.url);
  return toCheckout(
    call,
    Object.fromEntries(searchParams),
    pathname
      .split("/")
      .slice(3)
      .map((step) => `/${step}`)
      .join(""),
  );
}

function slugOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split("/")[2] ?? "");
}

/** A JSON endpoint for scripts of the hosted checkout. */
export function checkoutEndpoint(run: (call: CheckoutCall) => Promise<unknown>) {
  return checkoutRoute(
    async (call) => Response.json(await run(call), { headers: HIDDEN }),
    () => null,
  );
}

function checkoutRoute(
  run: Run,
  explain: (error: unknown, visit: Visit, request: Request) => Response | null,
) {
  const route = async (request: Request, _route: RouteContext): Promise<Response> => {
    const traceId = newTraceId();
    return inScope(newScope(), async () => {
      let visit = visitOf(request, new URLSearchParams());
      try {
        const form = await formOf(request);
        visit = visitOf(request, form);
        const response = await run(await callOf(request, form, visit));
        return withTrace(keepLanguage(request, response), traceId);
      } catch (thrown) {
        const error = explainOutage(thrown, { request, traceId });
        const page = explain(error, visit, request);
        return page === null ? errorResponse(error, traceId) : withTrace(page, traceId);
      }
    });
  };
  return Object.assign(route, { limitBytes: FORM_LIMIT_BYTES });
}

async function callOf(request: Request, form: URLSearchParams, visit: Visit): Promise<CheckoutCall> {
  const found = await findCheckout(visit.session);
  if (found === null) return fail("payment_request_not_found");
  limitRequests({ accountId: found.accountId, tokenId: found.id }, CALLS_A_MINUTE, now());
  const checkout = await viewCheckout(found);
  if (checkout === null) return fail("payment_request_not_found");
  const language = visitorLanguage(request, found.locale);
  return { request, form, checkout, visit: { ...visit, language } };
}

/** Redirects the payer to the checkout page or one of its steps. */
export function toCheckout(
  { checkout, visit }: CheckoutCall,
  query: Record<string, string> = {},
  step = "",
): Response {
  const search = new URLSearchParams({ session: visit.session, ...query });
  const location = `/pay/${checkout.branding.slug}${step}?${search}`;
  return new Response(null, { status: 303, headers: { ...HIDDEN, location } });
}

interface PageOptions {
  visit: Visit;
  branding: CheckoutBranding | null;
  images?: readonly (string | null)[];
  usesStripe?: boolean;
  status?: number;
}

/**
 * A page whose Content-Security-Policy allows only Trunkline's own script, and the processor's on pages with its card
 * field. No other page can frame it, except the Phones page in a sandbox.
 */
export function pageResponse(page: string, options: PageOptions): Response {
  const headers = {
    ...HIDDEN,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policyOf(options),
    "x-content-type-options": "nosniff",
    "x-frame-options": mayBeFramed(options) ? "SAMEORIGIN" : "DENY",
    "cross-origin-opener-policy": options.usesStripe === true ? "same-origin-allow-popups" : "same-origin",
  };
  return new Response(page, { status: options.status ?? 200, headers });
}

/** The headers of a checkout preview, which the dashboard shows in a frame and which takes no payment. */
export function framedPage(branding: CheckoutBranding, nonce: string): Record<string, string> {
  const policy = policyOf({ visit: { nonce, isFramed: false }, branding }).replace(
    "frame-ancestors 'none'",
    "frame-ancestors 'self'",
  );
  return {
    ...HIDDEN,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
  };
}

/** A nonce for the page's single inline style. */
export function newNonce(): string {
  return secretBytes(16).toString("base64");
}

type Policy = Omit<PageOptions, "visit"> & { visit: Pick<Visit, "nonce" | "isFramed"> };

// Pages without a branding belong to no account.
function mayBeFramed({ visit, branding }: Policy): boolean {
  return visit.isFramed && branding?.isSandbox === true;
}

function policyOf(policy: Policy): string {
  const { visit, branding, images = [], usesStripe = false } = policy;
  const shown = [branding?.logoUrl, ...images].flatMap((url) =>
    url != null && /^https?:/.test(url) && URL.canParse(url) ? [new URL(url).origin] : [],
  );
  const stripe = usesStripe ? " https://js.stripe.com https://*.js.stripe.com" : "";
  return [
    "default-src 'none'",
    `script-src 'self'${usesStripe ? ` ${new URL(STRIPE_SCRIPT).origin}` : ""}`,
    `style-src 'self' 'nonce-${visit.nonce}'`,
    `img-src 'self' data: ${[...new Set(shown)].join(" ")}${usesStripe ? " https://*.stripe.com" : ""}`.trim(),
    `connect-src 'self'${usesStripe ? " https://api.stripe.com" : ""}`,
    `frame-src ${usesStripe ? `${stripe.trim()} https://hooks.stripe.com` : "'none'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${mayBeFramed(policy) ? "'self'" : "'none'"}`,
  ].join("; ");
}

async function formOf(request: Request): Promise<URLSearchParams> {
  return request.method === "GET"
    ? new URLSearchParams()
    : readForm(request, { limitBytes: FORM_LIMIT_BYTES });
}

function withTrace(response: Response, traceId: string): Response {
  response.headers.set("x-trace-id", traceId);
  return response;
}

function visitOf(request: Request, form: URLSearchParams): Visit {
  const { searchParams } = new URL(request.url);
  return {
    language: visitorLanguage(request),
    nonce: newNonce(),
    session: request.headers.get(SESSION_HEADER) ?? form.get("session") ?? searchParams.get("session") ?? "",
    isDeclined: searchParams.has("declined"),
    isFramed: isOwnFrame(request),
  };
}

function checkoutPath(pathname: string, { session }: Visit): string {
  const [, , slug = ""] = pathname.split("/");
  return `/pay/${slug}?${new URLSearchParams({ session })}`;
}
