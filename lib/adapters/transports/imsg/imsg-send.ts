import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { writeMacFile } from "@/lib/adapters/transports/imsg/imsg-process";
import type { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import type { SendProgress } from "@/lib/adapters/transports/logged-sends";
import type { Outbound, OutMedia, OutPart } from "@/lib/adapters/transports/outbound";

/** A method of imsg with its parameters. */
type Call = (method: string, params: Record<string, unknown>) => Promise<unknown>;

/** The imsg of a line and its usable methods. */
export interface ImsgMac {
  call: Call;
  /** Throws AdapterError `line_down` while imsg is not running, because its methods are unknown. */
  isUsable(method: string): boolean;
  settings: ImsgSettings;
}

const Sent = z.object({
  guid: z.string().min(1).optional(),
  message_id: z.string().min(1).optional(),
});
const Created = z.object({ chat_guid: z.string().min(1) });

/** Apple's names of the effects. The specification's other names have none. */
const EFFECTS: Readonly<Record<string, string>> = {
  slam: "com.apple.MobileSMS.expressivesend.impact",
  loud: "com.apple.MobileSMS.expressivesend.loud",
  gentle: "com.apple.MobileSMS.expressivesend.gentle",
  invisible: "com.apple.MobileSMS.expressivesend.invisibleink",
  confetti: "com.apple.messages.effect.CKConfettiEffect",
  fireworks: "com.apple.messages.effect.CKFireworksEffect",
  lasers: "com.apple.messages.effect.CKHappyBirthdayEffect",
  sparkles: "com.apple.messages.effect.CKSparklesEffect",
  celebration: "com.apple.messages.effect.CKConfettiEffect",
  hearts: "com.apple.messages.effect.CKHeartEffect",
  love: "com.apple.messages.effect.CKHeartEffect",
  balloons: "com.apple.messages.effect.CKBalloonEffect",
  happy_birthday: "com.apple.messages.effect.CKBalloonEffect",
  echo: "com.apple.messages.effect.CKEchoEffect",
  spotlight: "com.apple.messages.effect.CKSpotlightEffect",
};

/**
 * Sends the parts of a message after `progress.refs`, each as a message of its own. With the bridge, the first text has
 * the message's own ID. Throws AdapterError.
 */
export async function sendToMac(mac: ImsgMac, message: Outbound, progress: SendProgress): Promise<void> {
  if (message.group !== null && progress.groupRef === null) {
    const created = await mac.call("chats.create", { addresses: [...message.to] });
    progress.groupRef = Created.parse(created).chat_guid;
  }
  for (const [index, part] of [...message.parts.entries()].slice(progress.refs.length)) {
    const target = targetOf(message, progress.groupRef);
    progress.refs.push(await sendPart(mac, { message, part, index, target }));
  }
}

interface PartToSend {
  message: Outbound;
  part: OutPart;
  index: number;
  target: Record<string, string>;
}

async function sendPart(mac: ImsgMac, { message, part, index, target }: PartToSend): Promise<string> {
  const fallbackRef = idOfPart(message.id, index);
  if (part.type === "media") return sendFile(mac, { message, part, target, fallbackRef });
  if (part.type !== "text") throw new AdapterError("unsupported", `imsg can't send a ${part.type}`);
  const { effect, replyTo, service } = message;
  const isRich = service === "iMessage" && (effect !== null || replyTo !== null) && mac.isUsable("send.rich");
  if (isRich && index === 0) {
    const effectId = effect === null ? undefined : EFFECTS[effect.name];
    return refOf(
      await mac.call("send.rich", {
        ...existingChat(target),
        text: part.value,
        ...(effectId !== undefined && { effect_id: effectId }),
        ...(replyTo !== null && { reply_to: replyTo.ref, part_index: replyTo.part }),
      }),
      fallbackRef,
    );
  }
  if (service === "iMessage" && mac.isUsable("send.tracked")) {
    const params = { ...target, text: part.value, attempt_id: fallbackRef };
    return refOf(await mac.call("send.tracked", params), fallbackRef);
  }
  return refOf(
    await mac.call("send", { ...target, text: part.value, ...serviceParams(message) }),
    fallbackRef,
  );
}

async function sendFile(
  mac: ImsgMac,
  {
    message,
    part,
    target,
    fallbackRef,
  }: {
    message: Outbound;
    part: OutMedia;
    target: Record<string, string>;
    fallbackRef: string;
  },
): Promise<string> {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(part.filename)?.[0] ?? "";
  const file = await writeMacFile(mac.settings, `${fallbackRef}${extension}`, () => part.open());
  // A voice memo needs the bridge. Without it, the recording is a file.
  if (part.voiceMemo === true && mac.isUsable("send.attachment")) {
    const params = { ...existingChat(target), file, audio: true };
    return refOf(await mac.call("send.attachment", params), fallbackRef);
  }
  return refOf(await mac.call("send", { ...target, file, ...serviceParams(message) }), fallbackRef);
}

/** The chat or the recipient of a message. */
function targetOf(message: Outbound, groupRef: string | null): Record<string, string> {
  return groupRef === null ? { to: message.to[0] ?? "" } : { chat_guid: groupRef };
}

/** Methods of the bridge take a chat that exists, by its identifier. */
export function existingChat({ to, chat_guid }: Record<string, string>): Record<string, string> {
  return chat_guid === undefined ? { chat_identifier: to ?? "" } : { chat_guid };
}

function serviceParams({ service, group }: Outbound): Record<string, unknown> {
  if (group !== null) return {};
  return { service: service === "iMessage" ? "imessage" : "sms", allow_sms_fallback: false };
}

/** Without a GUID in the response, the message has a reference of its own and no receipts. */
function refOf(result: unknown, otherwise: string): string {
  const sent = Sent.safeParse(result).data;
  return sent?.guid ?? sent?.message_id ?? otherwise;
}

/** The ID of a part: that of the message for the first, and a UUID derived from it for the others. */
function idOfPart(messageId: string, index: number): string {
  if (index === 0) return messageId;
  const hash = createHash("sha256").update(`${messageId}/${index}`).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
