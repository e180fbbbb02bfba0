import "server-only";
import { z } from "zod";
import { StoredFile, type UrlAudience, urlOf } from "@/lib/messaging/content/stored-file";
import type { ErrorName } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_TEXT = 512;
const MAX_FALLBACK = 1024;
const MAX_URL = 2048;
const MAX_DATA_URL = 16_384;

export const AppIdentity = z.object({
  bundle_id: z
    .string()
    .min(1)
    .check(maxUnits(255))
    .refine((id) => !id.includes(":"), "must not contain ':'")
    .describe("Bundle identifier of the app, 1 to 255 characters, without a colon."),
  name: z.string().min(1).check(maxUnits(64)).describe("Name of the app, 1 to 64 characters."),
  team_id: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, "must be 10 uppercase letters and digits")
    .describe("Apple team ID: 10 uppercase letters and digits."),
  app_store_id: z.int().min(1).optional().describe("App Store ID of the app. Adds a link to get the app."),
});

const CardText = z.string().check(maxUnits(MAX_TEXT)).optional();

const texts = {
  caption: CardText.describe("Text at the top left, in bold, up to 512 characters."),
  subcaption: CardText.describe("Text below the caption, up to 512 characters."),
  trailing_caption: CardText.describe("Text at the top right, up to 512 characters."),
  trailing_subcaption: CardText.describe("Text below the trailing caption, up to 512 characters."),
  image_title: CardText.describe("Title on the image, up to 512 characters. Requires an image."),
  image_subtitle: CardText.describe("Subtitle on the image, up to 512 characters. Requires an image."),
};

const Layout = z
  .object({
    ...texts,
    image_url: z
      .url({ protocol: /^https?$/ })
      .check(maxUnits(MAX_URL))
      .optional()
      .describe(
        "URL of a JPEG, PNG, HEIF or WebP image. Requires that the recipient has written in the chat. Responses contain the URL of the stored copy.",
      ),
  })
  .superRefine((layout, issues) => {
    const { image_title, image_subtitle, ...shown } = layout;
    if (Object.values(shown).every((value) => value === undefined || value === "")) {
      issues.addIssue({ code: "custom", message: "set at least one of the captions or image_url" });
    }
    if (layout.image_url === undefined && (image_title ?? image_subtitle) !== undefined) {
      issues.addIssue({ code: "custom", message: "image_title and image_subtitle require image_url" });
    }
  });

/** The content and the target of a card, which later updates can replace (docs/contract.md, section 6.5). */
export const CardContent = z.object({
  layout: Layout.describe("Captions and image of the card. Set at least one caption or `image_url`."),
  fallback_text: z
    .string()
    .check(maxUnits(MAX_FALLBACK))
    .optional()
    .describe(
      "Text shown where the card cannot be rendered, such as in notifications, up to 1024 characters. Defaults to the caption.",
    ),
  interactive: z
    .boolean()
    .default(true)
    .describe(
      "`true` renders the card as the app's interactive bubble on devices that have the app. Defaults to `true`.",
    ),
  url: z
    .union([
      z.literal(""),
      z.url({ protocol: /^https$/ }).check(maxUnits(MAX_URL)),
      z.string().startsWith("data:").check(maxUnits(MAX_DATA_URL)),
    ])
    .optional()
    .describe("URL passed to the app on tap: `https` up to 2048 characters, or `data:` up to 16384."),
});

export type CardContent = z.infer<typeof CardContent>;

// A missing required field is 1001, except within `app` (docs/contract.md, section 1.2).
function cardError({ code, path, input }: z.core.$ZodIssue): ErrorName {
  const isMissing = code === "invalid_type" && input === undefined;
  return isMissing && (path[0] !== "app" || path.length === 1) ? "field_missing" : "app_message_invalid";
}

/** Wraps `schema` so that its errors are 1008, or 1001 for a missing value. */
export function cardErrors<Shape extends z.core.$ZodLooseShape>(schema: z.ZodType, shape: Shape) {
  const { $schema, ...shown } = z.toJSONSchema(schema, { io: "input" });
  return z
    .looseObject(shape)
    .superRefine((value, issues) => {
      const { error } = schema.safeParse(value, { reportInput: true });
      for (const issue of error?.issues ?? []) {
        const { path, message, input } = issue;
        issues.addIssue({ code: "custom", path, message, input, params: { error: cardError(issue) } });
      }
    })
    .meta(shown);
}

const AppCard = CardContent.extend({
  type: z
    .literal("imessage_app")
    .describe("An iMessage app card. Must be the only part of its message. iMessage only."),
  app: AppIdentity.describe("The app that the card belongs to."),
});

/** A card of an iMessage app. Errors: as `cardErrors`. */
export const AppCardPart = cardErrors(AppCard, { type: z.literal("imessage_app") }).pipe(AppCard);

export type AppCardPart = z.infer<typeof AppCardPart>;

/** The experience that a card represents (docs/contract.md, section 15). */
const StoredExperience = z.object({
  name: z.string(),
  action: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  card: z.object({
    url: z.string(),
    title: z.string(),
    subtitle: z.string().nullable(),
    aside: z.string().nullable(),
    subject: z.object({ type: z.enum(["payment_request", "agent_payment"]), id: z.string() }).nullable(),
  }),
});

export type StoredExperience = z.infer<typeof StoredExperience>;

/** A stored card. */
export const StoredAppCardPart = z.object({
  type: z.literal("imessage_app"),
  app: AppIdentity,
  layout: z.object(texts),
  image: StoredFile.nullable(),
  fallback_text: z.string().nullable(),
  interactive: z.boolean(),
  url: z.string(),
  /** The message whose card this card replaces. */
  replaces: z.uuid().nullable().default(null),
  experience: StoredExperience.nullable().default(null),
});

export type StoredAppCardPart = z.infer<typeof StoredAppCardPart>;

export const AppCardPartResponse = z.object({
  type: z.literal("imessage_app").describe("An iMessage app card."),
  app: AppIdentity.describe("The app that the card belongs to."),
  layout: z
    .object({ ...texts, image_url: z.url().optional().describe("URL of the stored copy of the image.") })
    .describe("Captions and image of the card."),
  url: z.string().describe("URL passed to the app on tap; empty if not set."),
  fallback_text: z
    .string()
    .nullable()
    .describe("Text shown where the card cannot be rendered; `null` if not set."),
});

/** Converts a card for storage; `image` = the re-hosted image. */
export function toStoredCard(
  app: z.infer<typeof AppIdentity>,
  { layout, fallback_text, interactive, url }: CardContent,
  image: StoredFile | null,
): StoredAppCardPart {
  const { image_url, ...shown } = layout;
  return {
    type: "imessage_app",
    app,
    layout: shown,
    image,
    fallback_text: fallback_text ?? layout.caption ?? null,
    interactive,
    url: url ?? "",
    replaces: null,
    experience: null,
  };
}

export function toAppCardResponse(
  part: StoredAppCardPart,
  shownIn: UrlAudience,
): z.infer<typeof AppCardPartResponse> {
  const { type, app, layout, image, url, fallback_text } = part;
  const imageUrl = image === null ? null : urlOf(image, shownIn);
  const shown = imageUrl === null ? layout : { ...layout, image_url: imageUrl };
  return { type, app, layout: shown, url, fallback_text };
}
