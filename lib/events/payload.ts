import "server-only";
import type { z } from "zod";
import type { WebhookVersion } from "@/lib/events/webhook-version";

/** One format of an event's `data`. */
export interface PayloadFormat<Facts, Schema extends z.ZodType> {
  schema: Schema;
  render(facts: Facts): z.input<Schema>;
}

/** How an event's `data` is made from the facts that were stored with it, in each version. */
export interface Payload<
  Facts extends z.ZodType = z.ZodType,
  Old extends z.ZodType = z.ZodType,
  New extends z.ZodType = z.ZodType,
> {
  /** What is stored with the event: no address that could die before the last retry, no secret. */
  facts: Facts;
  schemas: { "2025-01-01": Old; "2026-02-03": New };
  /** Facts to show the payload with, in documentation and tests. */
  example: z.input<Facts>;
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
): Payload<Facts, Old, New> {
  return {
    facts,
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
): Payload<Facts, Schema, Schema> {
  return versionedPayload(facts, { "2025-01-01": format, "2026-02-03": format }, example);
}

/** A payload that shows the facts as they are, in every version. */
export function plainPayload<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
): Payload<Schema, Schema, Schema> {
  return {
    facts: schema,
    schemas: { "2025-01-01": schema, "2026-02-03": schema },
    example,
    render: (_version, stored) => schema.parse(stored),
  };
}
