import "server-only";
import { z } from "zod";

const Headers = z.record(z.string(), z.string());

/** The logged headers of a request and of its response. */
export const LoggedHeaders = z.object({ request: Headers.default({}), answer: Headers.default({}) });

export type LoggedHeaders = z.infer<typeof LoggedHeaders>;

// Most requests with a body have these headers. They are stored as null. Never change them.
const USUAL = { request: { "content-type": "application/json" }, answer: {} };

/** The stored JSON of headers, without empty sides; null for the usual headers. */
export function toStoredHeaders({ request, answer }: LoggedHeaders): string | null {
  const isUsual =
    Object.keys(request).length === 1 &&
    request["content-type"] === USUAL.request["content-type"] &&
    Object.keys(answer).length === 0;
  if (isUsual) return null;
  const sides = Object.entries({ request, answer }).filter(([, side]) => Object.keys(side).length > 0);
  return JSON.stringify(Object.fromEntries(sides));
}

/** The headers that `toStoredHeaders` stored, or an earlier release. */
export function toLoggedHeaders(stored: unknown): LoggedHeaders {
  return stored === null ? USUAL : LoggedHeaders.parse(stored);
}
