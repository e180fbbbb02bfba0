import "server-only";
import { ERRORS } from "@/lib/platform/errors/errors";
import type { Answer } from "@/lib/runtime/http/answer";
import { standalonePage } from "@/lib/runtime/server/pages/standalone-page";

const { status, retryAfterSeconds } = ERRORS.service_unavailable;

/** The response to browsers while the database is unavailable: 503 with Retry-After, and a page that reloads itself. */
export function outagePage(traceId: string): Answer {
  return standalonePage({
    status,
    heading: "The database is not available",
    paragraphs: [
      `Trunkline can't show this page until PostgreSQL answers again. Messages and payments that were already accepted are safe. This page reloads every ${retryAfterSeconds} seconds.`,
      `If this takes longer than a few minutes, tell your operator. Trace ID: <code>${traceId}</code>`,
    ],
    reloadSeconds: retryAfterSeconds,
    traceId,
  });
}
