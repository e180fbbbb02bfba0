import { randomBytes } from "node:crypto";
import type { FakeStripeState } from "@/lib/testing/stripe/fake-stripe-state";

/** An error response with Stripe's wording. */
export class StripeRefusal extends Error {
  constructor(
    readonly code: string,
    readonly status = 400,
  ) {
    super(code);
  }
}

/** An OAuth error, which has another format. */
export class OAuthRefusal extends StripeRefusal {}

export interface StripeCall {
  method: string;
  path: string;
  account: string;
  form: URLSearchParams;
  query: URLSearchParams;
  /** The API key of the call. */
  bearer: string;
}

export type Handler = (books: FakeStripeState, call: StripeCall & { id: string }) => unknown;

export function metadataOf(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}

export function requireFound<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new StripeRefusal("resource_missing", 404);
  return item;
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString("hex")}`;
}

export function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
