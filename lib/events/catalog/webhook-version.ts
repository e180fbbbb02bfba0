import "server-only";
import { z } from "zod";

/** The payload versions of webhook subscriptions (docs/contract.md, section 12.3), oldest first. */
export const WEBHOOK_VERSIONS = ["2025-01-01", "2026-02-03"] as const;

export const WebhookVersion = z.enum(WEBHOOK_VERSIONS).describe("Version of the webhook payload.");
export type WebhookVersion = z.infer<typeof WebhookVersion>;
