import "server-only";
import type { z } from "zod";
import type { WebhookVersion } from "@/lib/events/catalog/webhook-version";

/** One format of an event's `data`. */
export interface PayloadFormat<Data, Schema extends z.ZodType> {
  schema: Schema;
  render(data: Data): z.input<Schema>;
}

/** Builds the `data` of an event's webhook from the stored data, in each version. */
export interface Payload<
  Data extends z.ZodType = z.ZodType,
  Old extends z.ZodType = z.ZodType,
  New extends z.ZodType = z.ZodType,
> {
  /** The data stored with the event: no URL that could expire before the last retry, no secret. */
  data: Data;
  schemas: { "2025-01-01": Old; "2026-02-03": New };
  /** Example data for documentation and tests. */
  example: z.input<Data>;
  /** Returns the wire format. Throws when the stored data does not match the event's schema. */
  render(version: WebhookVersion, data: unknown): unknown;
}

/** A payload whose versions differ. */
export function versionedPayload<Data extends z.ZodType, Old extends z.ZodType, New extends z.ZodType>(
  data: Data,
  formats: {
    "2025-01-01": PayloadFormat<z.output<Data>, Old>;
    "2026-02-03": PayloadFormat<z.output<Data>, New>;
  },
  example: z.input<Data>,
): Payload<Data, Old, New> {
  return {
    data,
    schemas: { "2025-01-01": formats["2025-01-01"].schema, "2026-02-03": formats["2026-02-03"].schema },
    example,
    render: (version, stored) => formats[version].render(data.parse(stored)),
  };
}

/** A payload that is the same in every version. */
export function payload<Data extends z.ZodType, Schema extends z.ZodType>(
  data: Data,
  format: PayloadFormat<z.output<Data>, Schema>,
  example: z.input<Data>,
): Payload<Data, Schema, Schema> {
  return versionedPayload(data, { "2025-01-01": format, "2026-02-03": format }, example);
}

/** A payload that shows the stored data as it is, in every version. */
export function plainPayload<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
): Payload<Schema, Schema, Schema> {
  return {
    data: schema,
    schemas: { "2025-01-01": schema, "2026-02-03": schema },
    example,
    render: (_version, stored) => schema.parse(stored),
  };
}
