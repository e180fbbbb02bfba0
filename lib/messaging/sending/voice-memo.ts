import "server-only";
import { z } from "zod";
import { ShownFile } from "@/lib/messaging/content/stored-file";
import { DeliveryStatus } from "@/lib/messaging/messages/message";
import { AcceptedSendAt } from "@/lib/messaging/scheduled/send-at";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";

/** A voice memo as a send returns it (docs/contract.md, section 7.6). */
export const VoiceMemo = z
  .object({
    id: z.uuid().describe("ID of the message."),
    chat: z
      .object({
        id: z.uuid().describe("ID of the chat."),
        handles: z.array(ChatHandle).describe("Participants of the chat, including your line."),
        is_active: z.boolean().describe("`true` if your line can send to the chat."),
        is_group: z
          .boolean()
          .describe("`true` if the chat is a group, that is, has more than one recipient."),
        service: ServiceType.nullable().describe("Service of the chat; `null` until known."),
      })
      .describe("The chat of the message."),
    created_at: z.iso.datetime().describe("When the voice memo was accepted."),
    from: z.string().describe("The line that sends the message, in E.164 format."),
    to: z.array(z.string()).describe("Handles of the recipients."),
    status: DeliveryStatus,
    service: ServiceType.nullable().describe("Service of the message; `null` until known."),
    voice_memo: ShownFile.extend({
      duration_ms: z
        .int()
        .nullable()
        .describe("Duration in milliseconds; `null` when the file does not state it."),
    }).describe("The audio file."),
    send_at: AcceptedSendAt,
  })
  .meta({
    id: "VoiceMemo",
    description: "An accepted voice memo.",
    examples: [
      {
        id: "019ca9c2-4c03-7d64-bc33-5e9f40718293",
        chat: {
          id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182",
          handles: [
            {
              id: "019ca9c2-4c01-7b42-9e11-3c7d2e5f6071",
              handle: "+12025550123",
              joined_at: "2026-03-01T12:00:00.000Z",
              service: "iMessage",
              is_me: false,
              left_at: null,
              status: "active",
              line_type: "iMessage",
            },
          ],
          is_active: true,
          is_group: false,
          service: "iMessage",
        },
        created_at: "2026-03-01T12:00:00.000Z",
        from: "+12025550100",
        to: ["+12025550123"],
        status: "pending",
        service: null,
        voice_memo: {
          id: "019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5",
          filename: "hello.m4a",
          mime_type: "audio/x-m4a",
          size_bytes: 48213,
          url: "https://cdn.example.com/attachments/partners/019ca9c0-0000-7000-8000-5a1f0c9e2b34/019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5/hello.m4a",
          duration_ms: 4200,
        },
      },
    ],
  });
