import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { OAuthRefusal, type StripeCall, StripeRefusal } from "@/lib/testing/stripe/fake-stripe-call";
import { FAKE_WEBHOOK_SECRET } from "@/lib/testing/stripe/fake-stripe-env";
import { respondToBrowser } from "@/lib/testing/stripe/fake-stripe-pages";
import { answerStripe } from "@/lib/testing/stripe/fake-stripe-routes";
import {
  createFakeStripeState,
  type FakeStripeState,
  type StoredAnswer,
} from "@/lib/testing/stripe/fake-stripe-state";

/** How the fake responds: normally, or with a type of failure. */
type Mode = "well" | "down" | "slow" | "garbage" | "broken" | "refusing" | "unreachable";

export interface FakeStripe {
  url: string;
  books: FakeStripeState;
  mode: Mode;
  /** Calls that start with this text, for example "DELETE /v1/subscriptions", fail with 500. */
  breaksAt: string | null;
  /** Calls that start with this text are performed, and fail with 500 afterwards. */
  breaksAfter: string | null;
  /** The target of its signed webhooks. null holds webhooks back. */
  webhookUrl: string | null;
  /** Like `webhookUrl`, for webhooks about issued cards. */
  issuingUrl: string | null;
  close(): Promise<void>;
}

/**
 * Starts a fake Stripe on loopback. It stores accounts, customers, prices, payments and subscriptions, supports
 * idempotency keys, rejects what Stripe rejects, and sends signed webhooks. Its responses have the SDK's types, and
 * `vendor-shapes.test.ts` compares them with Stripe's example objects (stripe/openapi, fixtures3.json).
 */
export async function startFakeStripe(port = 0): Promise<FakeStripe> {
  const server = http.createServer((request, response) => void serve(request, response));
  const fake: FakeStripe = {
    url: "",
    books: createFakeStripeState((account, type, object) => tell(fake, account, type, object)),
    mode: "well",
    breaksAt: null,
    breaksAfter: null,
    webhookUrl: null,
    issuingUrl: null,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };

  async function serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const form = new URLSearchParams(await textOf(request));
    if (fake.mode === "slow") return;
    if (fake.mode === "down") return void request.socket.destroy();
    if (fake.mode === "garbage") return void response.end("<html>it works!</html>");
    if (fake.mode === "refusing")
      return answer(response, { status: 400, body: refusalBody(new StripeRefusal("parameter_invalid")) });
    const page = await respondToBrowser(fake.books, { request, form });
    if (page !== null) return void response.writeHead(page.status, page.headers).end(page.body);
    try {
      const key = request.headers["idempotency-key"];
      const url = new URL(request.url ?? "", fake.url);
      const starts = (text: string | null) =>
        text !== null && `${request.method} ${request.url}`.startsWith(text);
      const isBroken = fake.mode === "broken" || starts(fake.breaksAt);
      const call = {
        method: request.method ?? "GET",
        path: url.pathname,
        query: url.searchParams,
        bearer: (request.headers.authorization ?? "").replace(/^Bearer /, ""),
        account: String(request.headers["stripe-account"] ?? ""),
        form,
      };
      const make = () => (isBroken ? BROKEN : performed(fake.books, call, starts(fake.breaksAfter)));
      answer(response, memoized(fake.books, key === undefined ? null : `${call.account}/${key}`, make));
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined);
    }
  }

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fake.books.baseUrl = fake.url;
  return fake;
}

function refusalBody(refusal: StripeRefusal): object {
  const { code, message } = refusal;
  return refusal instanceof OAuthRefusal
    ? { error: code, error_description: message }
    : { error: { type: "invalid_request_error", code, message } };
}

const BROKEN: StoredAnswer = { status: 500, body: { error: { type: "api_error", message: "broken" } } };

function performed(books: FakeStripeState, call: StripeCall, breaksAfter: boolean): StoredAnswer {
  try {
    const body = answerStripe(books, call);
    return breaksAfter ? BROKEN : { status: 200, body };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return { status: error.status, body: refusalBody(error) };
  }
}

// Stripe stores the first response of a key, "regardless of whether it succeeds or fails", 500 included, and marks the
// repeats (docs.stripe.com/api/idempotent_requests).
function memoized(books: FakeStripeState, id: string | null, make: () => StoredAnswer): StoredAnswer {
  if (id === null) return make();
  const stored = books.answers.get(id);
  if (stored !== undefined) return { ...stored, isReplayed: true };
  const made = make();
  books.answers.set(id, made);
  return made;
}

async function tell(fake: FakeStripe, account: string, type: string, object: unknown): Promise<void> {
  const isOfCards = type.startsWith("issuing_") || type === "capability.updated";
  const url = isOfCards ? fake.issuingUrl : fake.webhookUrl;
  if (url === null) return;
  const { body, headers } = signedEvent(eventOf(account, type, object));
  await fetch(url, { method: "POST", headers, body });
}

/** Creates an event in Stripe's format. */
export function eventOf(account: string, type: string, object: unknown) {
  const created = Math.floor(Date.now() / 1000);
  return { id: `evt_${randomUUID()}`, object: "event", account, created, type, data: { object } };
}

/** Creates a webhook with Stripe's signature. */
export function signedEvent(
  event: object,
  secret = FAKE_WEBHOOK_SECRET,
): { body: string; headers: Record<string, string> } {
  return signedText(JSON.stringify(event), secret);
}

/** Signs any text as Stripe does. */
export function signedText(body: string, secret = FAKE_WEBHOOK_SECRET) {
  const signer = new Stripe("sk_test_fake");
  const signature = signer.webhooks.generateTestHeaderString({ payload: body, secret });
  return { body, headers: { "stripe-signature": signature, "content-type": "application/json" } };
}

function answer(response: http.ServerResponse, { status, body, isReplayed }: StoredAnswer): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "request-id": "req_fake",
    ...(isReplayed === true ? { "idempotent-replayed": "true" } : {}),
  });
  response.end(JSON.stringify(body));
}

async function textOf(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
