import "server-only";
import type { z } from "zod";
import type { WebhookVersion } from "@/lib/events/webhook-version";

/** One format of an event's `data`. */
export interface PayloadFormat<Facts, Schema extends z.ZodType> {
  schema: Schema;
  render(facts: Facts): z.input<Schema>;
}

/** How an event's `data` is made from the facts that were stored with it, in each version. */
export interface Payload {
  schemas: Record<WebhookVersion, z.ZodType>;
  /** Facts to show the payload with, in documentation and tests. */
  example: unknown;
  /** Throws when the stored facts are not those of the event. */
  render(version: WebhookVersion, facts: unknown): unknown;
}

/** A payload whose versions differ. */
export function versionedPayload<Facts extends z.ZodType, Old extends z.ZodType, New extends z.ZodType>(
  facts: Facts,
  formats: {
    "2025-01-01": PayloadFormat<z.output<Facts>, Old>;
    "2026-02-03": PayloadFormat<z.output<Facts>, New>;
  },
  example: z.input<Facts>,
): Payload {
  return {
    schemas: { "2025-01-01": formats["2025-01-01"].schema, "2026-02-03": formats["2026-02-03"].schema },
    example,
    render: (version, stored) => formats[version].render(facts.parse(stored)),
  };
}

/** A payload that is the same in every version. */
export function payload<Facts extends z.ZodType, Schema extends z.ZodType>(
  facts: Facts,
  format: PayloadFormat<z.output<Facts>, Schema>,
  example: z.input<Facts>,
): Payload {
  return versionedPayload(facts, { "2025-01-01": format, "2026-02-03": format }, example);
}
