import "server-only";
import { z } from "zod";
import { accountPayload, changePayload } from "@/lib/events/catalog/account-payload";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventTime } from "@/lib/events/catalog/event-time";

const ApiTokenRef = z.object({
  id: z.uuid().describe("ID of the API token."),
  token_prefix: z.string().describe("First characters of the token."),
  name: z.string().optional().describe("Name of the token."),
  expires_at: EventTime.nullable().describe("When the token expires; `null` for a token without an expiry."),
});

const TokenObjects = z.object({ api_token: ApiTokenRef.describe("The API token.") });

const EXAMPLE = {
  api_token: {
    id: "019ca9c0-2000-7fec-84bb-e728394a5b6c",
    token_prefix: "tl_production_h7Qd",
    name: "Orders service",
    expires_at: null,
  },
};

const ENDING = { api_token: { ...EXAMPLE.api_token, expires_at: "2026-03-08T12:00:00.000Z" } };

/**
 * `data` of api_token.created, activated and deleted; `done` completes "The API token … was"
 * (docs/contract.md, section 12.6).
 */
function tokenPayload(done: string) {
  return accountPayload({
    objects: TokenObjects,
    sentence: ({ api_token }, by) => `${named(api_token)} was ${done} ${by}.`,
    example: EXAMPLE,
  });
}

/** `data` of api_token.renamed. */
const tokenRenamedPayload = accountPayload({
  objects: TokenObjects.extend({
    change: changePayload(z.string().nullable()).describe("Change of the name."),
  }),
  sentence: ({ api_token, change }, by) => `${named({ ...api_token, name: change.from })} was renamed ${by}.`,
  example: { ...EXAMPLE, change: { from: "Orders", to: "Orders service" } },
});

/** `data` of api_token.expiry_scheduled. */
const tokenExpiryPayload = accountPayload({
  objects: TokenObjects.extend({
    change: changePayload(EventTime.nullable()).describe(
      "Change of the expiry; `null` for a token without an expiry.",
    ),
  }),
  sentence: ({ api_token }, by) => `The expiry of ${named(api_token, "the")} was set ${by}.`,
  example: { ...ENDING, change: { from: null, to: ENDING.api_token.expires_at } },
});

/** `data` of api_token.expired. */
const tokenExpiredPayload = accountPayload({
  objects: TokenObjects,
  sentence: ({ api_token }) => `${named(api_token)} expired.`,
  example: ENDING,
});

interface Named {
  token_prefix: string;
  name?: string | null;
}

function named({ name, token_prefix }: Named, article = "The"): string {
  return `${article} API token ${name == null ? `${token_prefix}…` : `“${name}”`}`;
}

export const TOKEN_EVENTS = defineEvents({
  "api_token.created": tokenPayload("created"),
  "api_token.renamed": tokenRenamedPayload,
  "api_token.expiry_scheduled": tokenExpiryPayload,
  "api_token.expired": tokenExpiredPayload,
  "api_token.activated": tokenPayload("activated"),
  "api_token.deleted": tokenPayload("deleted"),
});
