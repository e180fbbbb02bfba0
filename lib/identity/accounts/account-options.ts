import "server-only";
import { z } from "zod";
import { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import type { Prisma } from "@/lib/platform/prisma/client";
import { AppClipState, AttachmentTier, FirstMessageLinks } from "@/lib/platform/prisma/enums";
import { QuietHours } from "@/lib/platform/time/quiet-hours";

const RETENTION_LEAST_MINUTES = 60;
const MAX_RETENTION_MINUTES = 24 * 60;

const MAX_TAKE_OVER_MINUTES = 24 * 60;

/** The fewest exchanges that no person reaches (docs/decisions/0039-hold-chats-that-loop.md). */
export const LOOP_LEAST_EXCHANGES = 15;
/** The value of new production accounts. In new sandboxes chats are never put on hold. */
export const DEFAULT_LOOP_EXCHANGES = 20;
const MAX_LOOP_EXCHANGES = 200;

/** A limit that replaces the instance's. 0 = no limit; null = the instance's. */
const OwnLimit = z.int().min(0).max(10_000_000).nullable();
/** 0 is read as null, which both say that there is no limit. */
const Limit = OwnLimit.overwrite((limit) => (limit === 0 ? null : limit));

/** Options that the account's users set (docs/contract.md, section 2.3). */
export const ChosenOptions = z.object({
  /** When off, location requests fail with error 2011. */
  locations: z.boolean(),
  /** When off, operations that need RCS fail with error 4004. */
  rcs: z.boolean(),
  attachment_tier: z.enum(AttachmentTier),
  /** Minutes after which message content is deleted; null = never. */
  retention_minutes: z.int().min(RETENTION_LEAST_MINUTES).max(MAX_RETENTION_MINUTES).nullable(),
  first_message_links: z.enum(FirstMessageLinks),
  /** The payload version of new webhook subscriptions without `?version=` in their target. */
  default_webhook_version: WebhookVersion,
  /** When off, only admins create and roll API tokens. */
  developer_tokens: z.boolean(),
  /**
   * Minutes without a message from the person who took over a chat, after which the chat is handed back to the API;
   * null = taking over is off.
   */
  take_over_minutes: z.int().min(1).max(MAX_TAKE_OVER_MINUTES).nullable(),
  /**
   * Exchanges after which a chat in which two programs answer each other goes on hold for sends by API tokens; null =
   * chats are never put on hold.
   */
  loop_exchanges: z.int().min(LOOP_LEAST_EXCHANGES).max(MAX_LOOP_EXCHANGES).nullable(),
  /** When off, people can't search messages by their words, and no index of the words is kept. */
  message_search: z.boolean(),
  /** When programs don't write to people, by the people's clocks; null = at any time. */
  quiet_hours: QuietHours.nullable(),
});

/** Options that only the operator sets. */
export const OperatorOptions = z.object({
  /** The time from which the account's tokens are rejected; null = never. */
  expires_at: z.iso.datetime().nullable(),
  /** Requests per minute and token; null = REQUESTS_PER_MINUTE. */
  requests_per_minute: OwnLimit,
  /** Inbound and outbound messages per day; null = no cap. */
  daily_messages: Limit,
  /** Messages per 60 seconds from one line to one recipient; null = no limit. */
  pair_messages: Limit,
  /** Megabytes of stored files; null = STORAGE_PER_ACCOUNT_MB. */
  storage_mb: OwnLimit,
  /** in_review: app_clip parts may not contain the account's own checkout links yet. */
  checkout_clip: z.enum(AppClipState),
});

export const AppClip = z.object({ id: z.uuid(), name: z.string(), url_prefix: z.string() });

export const AccountOptions = z
  .object({ ...ChosenOptions.shape, ...OperatorOptions.shape, app_clips: z.array(AppClip) })
  .meta({ id: "AccountOptions" });

export type AccountOptions = z.infer<typeof AccountOptions>;

export const optionsSelect = {
  locations: true,
  rcs: true,
  attachmentTier: true,
  retentionMinutes: true,
  firstMessageLinks: true,
  defaultWebhookVersion: true,
  developerTokens: true,
  takeOverMinutes: true,
  loopExchanges: true,
  messageSearch: true,
  quietHours: true,
  expiresAt: true,
  requestsPerMinute: true,
  dailyMessages: true,
  pairMessages: true,
  storageMb: true,
  checkoutClip: true,
  appClips: { select: { id: true, name: true, urlPrefix: true }, orderBy: { id: "asc" } },
} satisfies Prisma.AccountSelect;

/** Serializes account options. No other code does. */
export function toAccountOptions(
  row: Prisma.AccountGetPayload<{ select: typeof optionsSelect }>,
): AccountOptions {
  return {
    locations: row.locations,
    rcs: row.rcs,
    attachment_tier: row.attachmentTier,
    retention_minutes: row.retentionMinutes,
    first_message_links: row.firstMessageLinks,
    default_webhook_version: WebhookVersion.parse(row.defaultWebhookVersion),
    developer_tokens: row.developerTokens,
    take_over_minutes: row.takeOverMinutes,
    loop_exchanges: row.loopExchanges,
    message_search: row.messageSearch,
    quiet_hours: QuietHours.nullable().parse(row.quietHours),
    expires_at: row.expiresAt?.toISOString() ?? null,
    requests_per_minute: row.requestsPerMinute,
    daily_messages: row.dailyMessages,
    pair_messages: row.pairMessages,
    storage_mb: row.storageMb,
    checkout_clip: row.checkoutClip,
    app_clips: row.appClips.map(({ id, name, urlPrefix }) => ({ id, name, url_prefix: urlPrefix })),
  };
}
