import "server-only";
import { z } from "zod";
import { accountPayload, changePayload } from "@/lib/events/catalog/account-payload";
import { defineEvents } from "@/lib/events/catalog/define-events";

/** An environment is an account of the partner. Events identify it by name. */
const EnvironmentRef = z
  .object({
    name: z.string().describe("Name of the environment."),
    type: z.literal("environment").describe("Always `environment`."),
  })
  .meta({ id: "EnvironmentRef", description: "An environment: an account of the partner." });

const EnvironmentObjects = z.object({ environment: EnvironmentRef.describe("The environment.") });

const STAGING = { name: "Staging", type: "environment" } as const;
const PRODUCTION = { name: "Production", type: "environment" } as const;

/** `data` of environment.created (docs/contract.md, section 12.6). */
const environmentCreatedPayload = accountPayload({
  objects: EnvironmentObjects,
  sentence: ({ environment }, by) => `The environment “${environment.name}” was created ${by}.`,
  example: { environment: STAGING },
});

/** `data` of environment.renamed. */
const environmentRenamedPayload = accountPayload({
  objects: EnvironmentObjects.extend({ change: changePayload(z.string()).describe("Change of the name.") }),
  sentence: ({ change }, by) => `The environment “${change.from}” was renamed to “${change.to}” ${by}.`,
  example: { environment: STAGING, change: { from: "Test", to: "Staging" } },
});

/** `data` of environment.deleted. */
const environmentDeletedPayload = accountPayload({
  objects: EnvironmentObjects.extend({
    tokens_revoked: z.int().min(0).describe("Number of API tokens that were revoked."),
    lines_moved_to_production: z.int().min(0).describe("Number of lines that moved to production."),
  }),
  sentence: ({ environment }, by) => `The environment “${environment.name}” was deleted ${by}.`,
  example: { environment: STAGING, tokens_revoked: 2, lines_moved_to_production: 1 },
});

/** `data` of environment.line_moved. */
const lineMovedPayload = accountPayload({
  objects: z.object({
    phone_number: z.string().describe("The line, in E.164 format."),
    change: changePayload(EnvironmentRef).describe("Change of the environment of the line."),
  }),
  sentence: ({ phone_number, change }, by) =>
    `The line ${phone_number} was moved to “${change.to.name}” ${by}.`,
  example: { phone_number: "+12025550100", change: { from: STAGING, to: PRODUCTION } },
});

/** `data` of zero_day_retention.updated. */
const retentionPayload = accountPayload({
  objects: z.object({
    change: changePayload(z.boolean()).describe("Change of zero-day retention: `true` when on."),
  }),
  sentence: ({ change }, by) =>
    change.from === change.to
      ? `The period of zero-day retention was changed ${by}.`
      : `Zero-day retention was turned ${change.to ? "on" : "off"} ${by}.`,
  example: { change: { from: false, to: true } },
});

export const ENVIRONMENT_EVENTS = defineEvents({
  "environment.created": environmentCreatedPayload,
  "environment.renamed": environmentRenamedPayload,
  "environment.deleted": environmentDeletedPayload,
  "environment.line_moved": lineMovedPayload,
  "zero_day_retention.updated": retentionPayload,
});
