import "server-only";
import type { AttachmentRow } from "@/lib/attachments/attachment";
import type { MediaRequest } from "@/lib/attachments/resolve-media";
import {
  type AppCardPart,
  type StoredAppCardPart,
  toStoredCard,
} from "@/lib/messaging/messages/app-card-part";
import { composeAppClip } from "@/lib/messaging/messages/compose-app-clip";
import { partsOf } from "@/lib/messaging/messages/content-needs";
import { toStoredMedia } from "@/lib/messaging/messages/media-part";
import type { MessageContent } from "@/lib/messaging/messages/message-content";
import type { RequestPart, StoredPart } from "@/lib/messaging/messages/message-part";
import { toStoredFile } from "@/lib/messaging/messages/stored-file";
import { toStoredText } from "@/lib/messaging/messages/text-part";
import { toCard } from "@/lib/payments/experiences/to-card";
import { validateExperience } from "@/lib/payments/experiences/validate-experience";
import { findCheckoutLink } from "@/lib/payments/requests/find-checkout-link";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors";

/** What a part, once its files are there, is kept as. */
interface Composed {
  /** The payment request whose checkout link it is. */
  request?: PaymentRequestRow | null;
  files: readonly MediaRequest[];
  store(files: readonly AttachmentRow[]): StoredPart;
}

/** A content's parts as they will be kept, and the files they wait for, in one list. */
export interface ComposedParts {
  request: PaymentRequestRow | null;
  files: readonly MediaRequest[];
  /** `files` = those found, in the order they were asked for. Errors: content_invalid, content_type_mismatch. */
  store(files: readonly AttachmentRow[]): StoredPart[];
}

/** Composes parts of all kinds. Errors: app_clip_invalid, and as `validateExperience`. */
export async function composeParts(
  ctx: Context,
  content: MessageContent,
  recipients: readonly string[],
): Promise<ComposedParts> {
  const composed = await Promise.all(partsOf(content).map((part) => composePart(ctx, part)));
  if (content.experience !== undefined) {
    composed.push(await composeExperience(ctx, content.experience, recipients));
  }
  return {
    request: composed[0]?.request ?? null,
    files: composed.flatMap(({ files }) => files),
    store(found) {
      let taken = 0;
      return composed.map(({ files, store }) => {
        const own = found.slice(taken, taken + files.length);
        taken += files.length;
        return store(own);
      });
    },
  };
}

async function composePart(ctx: Context, part: RequestPart): Promise<Composed> {
  switch (part.type) {
    case "text":
      return {
        files: part.inline_stickers ?? [],
        store: (files) => toStoredText(part, files.map(requirePicture).map(toStoredFile)),
      };
    case "media":
      return {
        files: [part],
        store: ([file]) => toStoredMedia(file ?? fail("attachment_not_found"), part.sticker),
      };
    case "imessage_app":
      return composeCard(part);
    case "app_clip": {
      const { request, part: clip } = await composeAppClip(ctx, part.value);
      return { request, files: [], store: () => clip };
    }
    case "link":
      return {
        request: await findCheckoutLink(ctx.account.id, part.value),
        files: [],
        store: () => part,
      };
  }
}

const CARD_PICTURES: readonly string[] = [
  "image/jpeg",
  "image/png",
  "image/heic",
  "image/heif",
  "image/webp",
];

function composeCard(part: AppCardPart): Composed {
  const { image_url } = part.layout;
  return {
    files: image_url === undefined ? [] : [{ url: image_url, isPicture: true }],
    store: ([image]) => toStoredCard(part.app, part, image === undefined ? null : toCardPicture(image)),
  };
}

/** A re-hosted picture of a card. Errors: content_type_mismatch. */
function toCardPicture(file: AttachmentRow) {
  if (!CARD_PICTURES.includes(file.content_type)) {
    fail("content_type_mismatch", "layout.image_url must return a JPEG, PNG, HEIF or WebP image");
  }
  return toStoredFile(file);
}

function requirePicture(file: AttachmentRow): AttachmentRow {
  if (!file.content_type.startsWith("image/")) {
    fail("content_invalid", `a sticker must be an image, not ${file.content_type}`);
  }
  return file;
}

async function composeExperience(
  ctx: Context,
  invocation: NonNullable<MessageContent["experience"]>,
  recipients: readonly string[],
): Promise<Composed> {
  const experience = await validateExperience(ctx, invocation, recipients);
  const { app, ...shown } = toCard(experience.card);
  const part: StoredAppCardPart = { ...toStoredCard(app, shown, null), experience };
  const isRequest = experience.card.subject?.type === "payment_request";
  const request = isRequest ? await findCheckoutLink(ctx.account.id, experience.card.url) : null;
  return { request, files: [], store: () => part };
}
