import "server-only";
import type { AttachmentRow } from "@/lib/attachments/attachment";
import { type MediaRequest, type ResolvedMedia, resolveMedia } from "@/lib/attachments/media/resolve-media";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import {
  type AppCardPart,
  type StoredAppCardPart,
  toStoredCard,
} from "@/lib/messaging/content/app-card-part";
import { iMessageNeed, needsPlace, partsOf } from "@/lib/messaging/content/content-needs";
import { toStoredMedia } from "@/lib/messaging/content/media-part";
import type { ExperienceInvocation, MessageContent } from "@/lib/messaging/content/message-content";
import type { RequestPart, StoredPart } from "@/lib/messaging/content/message-part";
import { toStoredFile } from "@/lib/messaging/content/stored-file";
import { toStoredText } from "@/lib/messaging/content/text-part";
import { checkTarget } from "@/lib/messaging/sending/accept/check-send-target";
import { resolveTarget, type SendTarget } from "@/lib/messaging/sending/accept/resolve-target";
import { type AcceptEffect, payments } from "@/lib/messaging/sending/payment-port";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";

/** A message that is ready to be accepted: its content has been checked and its files are stored. */
export interface PreparedContent {
  messageId: string;
  content: MessageContent;
  parts: StoredPart[];
  /** Writes that belong to the accept's transaction. */
  effects?: readonly AcceptEffect[];
}

/** Returned for content with the idempotency key of an earlier message. */
export interface RepeatedContent {
  replayOf: string;
}

/** Files stored for a message. Pass them to `acceptPrepared`, or call `discard` if the message is not accepted. */
export interface PreparedFiles extends ResolvedMedia {
  replayOf: null;
}

/** A prepared message with its files. Accept it with `acceptPrepared`. */
type PreparedMessage = PreparedContent & Pick<PreparedFiles, "replayOf" | "discard">;

/** The target of a message that is prepared. `messageId` = the id that it has already, because it was scheduled. */
export type PrepareTarget = SendTarget & { messageId?: string | undefined };

/**
 * Checks content for a chat, or for a line and recipients without a chat, and finds or downloads its files. Text and
 * links need no statement. Errors: chat_not_found, access_denied, content_invalid, app_clip_invalid, state_conflict, and as
 * `checkTarget`, `PaymentPort.composeExperience` and `resolveMedia`.
 */
export async function prepareMessage(
  ctx: Context,
  content: MessageContent,
  target: PrepareTarget,
): Promise<PreparedMessage | RepeatedContent> {
  // A repeated key returns its message, even if what the message links to has ended since.
  const isChecked = needsPlace(content) || hasCheckoutLink(content);
  const checked = isChecked ? await findCheckedTarget(ctx, content, target) : null;
  if (checked !== null && "replayOf" in checked) return checked;

  const composed = await composeParts(ctx, content, checked?.recipients ?? []);
  const found = await prepareFiles(ctx, target, composed.files, content.idempotency_key);
  if (found.replayOf !== null) return found;
  const parts = await discardFilesOnFailure(found, composed.store(found.files));
  return {
    replayOf: null,
    messageId: found.messageId,
    content: iMessageNeed(content) === null ? content : { ...content, preferred_service: "iMessage" },
    parts,
    effects: composed.effects,
    discard: found.discard,
  };
}

/**
 * Waits for the acceptance of a prepared message. Discards the files of the message if it fails or repeats an earlier
 * message.
 */
export async function acceptPrepared<Sent extends { replayOf: string | null }>(
  prepared: Pick<PreparedFiles, "discard">,
  accepting: Promise<Sent>,
): Promise<Sent> {
  const sent = await discardFilesOnFailure(prepared, accepting);
  if (sent.replayOf !== null) await prepared.discard();
  return sent;
}

/** Waits for a step of a send. Discards the files of the message if the step fails. */
export async function discardFilesOnFailure<T>(
  { discard }: Pick<PreparedFiles, "discard">,
  step: Promise<T>,
): Promise<T> {
  try {
    return await step;
  } catch (error) {
    await discard();
    throw error;
  }
}

function hasCheckoutLink(content: MessageContent): boolean {
  return partsOf(content).some((part) => part.type === "link" && payments().isCheckoutLink(part.value));
}

async function findCheckedTarget(ctx: Context, content: MessageContent, target: SendTarget) {
  const found = await resolveTarget(ctx, target, content.idempotency_key ?? null);
  if (!("replayOf" in found)) await checkTarget(ctx, content, found);
  return found;
}

/** Finds and downloads the files of a message. Without files it takes no statement. Errors: as `resolveMedia`. */
export async function prepareFiles(
  ctx: Context,
  target: PrepareTarget,
  files: readonly MediaRequest[],
  idempotencyKey: string | null = null,
): Promise<PreparedFiles | RepeatedContent> {
  if (files.length === 0) {
    return {
      replayOf: null,
      messageId: target.messageId ?? newId(ctx.now.getTime(), ctx.account.id, "message"),
      files: [],
      discard: async () => {},
    };
  }
  const chatId = "chatId" in target ? target.chatId : null;
  const lineId = "lineId" in target ? target.lineId : null;
  const media = await resolveMedia(ctx, files, {
    chatId,
    lineId,
    idempotencyKey,
    messageId: target.messageId,
  });
  if (media === "chat_missing") return throwNotFoundOrDenied(chatId ?? "");
  return "replayOf" in media ? media : { replayOf: null, ...media };
}

/** A part and its required files. `store` builds the stored part when the files exist. */
interface Composed {
  files: readonly MediaRequest[];
  store(files: readonly AttachmentRow[]): StoredPart;
  effects?: readonly AcceptEffect[];
}

/** The parts to store, and the files they require, in one list. */
interface ComposedParts {
  /** Writes that belong to the accept's transaction. */
  effects: readonly AcceptEffect[];
  files: readonly MediaRequest[];
  /** `files` = the files found, in the order of the requests. Errors: content_invalid, content_type_mismatch. */
  store(files: readonly AttachmentRow[]): Promise<StoredPart[]>;
}

/** Composes parts of all kinds. Errors: app_clip_invalid, state_conflict, and as `PaymentPort.composeExperience`. */
async function composeParts(
  ctx: Context,
  content: MessageContent,
  recipients: readonly string[],
): Promise<ComposedParts> {
  const composed = await Promise.all(partsOf(content).map((part) => composePart(ctx, part)));
  if (content.experience !== undefined) {
    composed.push(await composeExperience(ctx, content.experience, recipients));
  }
  return {
    effects: composed.flatMap(({ effects = [] }) => effects),
    files: composed.flatMap(({ files }) => files),
    async store(found) {
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
        store: (files) => toStoredText(part, files.map(requireImage).map(toStoredFile)),
      };
    case "media":
      return {
        files: [part],
        store: ([file]) => toStoredMedia(file ?? fail("attachment_not_found"), part.sticker),
      };
    case "imessage_app":
      return composeCard(part);
    case "app_clip":
      return composeAppClip(ctx, part.value);
    case "link": {
      const checkout = await payments().findCheckout(ctx.account.id, part.value);
      return { files: [], store: () => part, effects: checkout?.effects ?? [] };
    }
  }
}

const IN_REVIEW =
  "the app clip of your checkout is in review: send a link part, which opens the web checkout";

/**
 * Composes an app clip's card from the account's payment request, or from the registered app clip whose prefix matches
 * the URL (docs/contract.md, section 6.4). Errors: app_clip_invalid, state_conflict.
 */
async function composeAppClip(ctx: Context, value: string): Promise<Composed> {
  const checkout = await payments().findCheckout(ctx.account.id, value);
  const { app_clips, checkout_clip } = await findAccountOptions(ctx.account.id);
  if (checkout !== null) {
    if (checkout_clip === "in_review") fail("app_clip_invalid", IN_REVIEW);
    const { title, description, imageUrl, effects } = checkout;
    const shown = {
      title,
      ...(description !== null && { description }),
      ...(imageUrl !== null && { image_url: imageUrl }),
    };
    return { files: [], store: () => ({ type: "app_clip", value, ...shown }), effects };
  }

  const href = URL.parse(value)?.href;
  // The longest matching prefix applies.
  const [clip] = app_clips
    .filter(({ url_prefix }) => href?.startsWith(url_prefix))
    .sort((left, right) => right.url_prefix.length - left.url_prefix.length);
  if (clip === undefined) {
    fail(
      "app_clip_invalid",
      "value must be one of your checkout links or start with the prefix of a registered app clip",
    );
  }
  return { files: [], store: () => ({ type: "app_clip", value, title: clip.name }) };
}

const CARD_IMAGES: readonly string[] = ["image/jpeg", "image/png", "image/heic", "image/heif", "image/webp"];

function composeCard(part: AppCardPart): Composed {
  const { image_url } = part.layout;
  return {
    files: image_url === undefined ? [] : [{ url: image_url, isImage: true }],
    store: ([image]) => toStoredCard(part.app, part, image === undefined ? null : toCardImage(image)),
  };
}

/** Converts a re-hosted file to a card's image. Errors: content_type_mismatch. */
function toCardImage(file: AttachmentRow) {
  if (!CARD_IMAGES.includes(file.content_type)) {
    fail("content_type_mismatch", "layout.image_url must return a JPEG, PNG, HEIF or WebP image");
  }
  return toStoredFile(file);
}

function requireImage(file: AttachmentRow): AttachmentRow {
  if (!file.content_type.startsWith("image/")) {
    fail("content_invalid", `a sticker must be an image, not ${file.content_type}`);
  }
  return file;
}

async function composeExperience(
  ctx: Context,
  invocation: ExperienceInvocation,
  recipients: readonly string[],
): Promise<Composed> {
  const { experience, app, card, effects } = await payments().composeExperience(ctx, invocation, recipients);
  const part: StoredAppCardPart = { ...toStoredCard(app, card, null), experience };
  return { files: [], store: () => part, effects };
}
