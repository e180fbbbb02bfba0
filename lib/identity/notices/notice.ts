import "server-only";
import { z } from "zod";
import type { Prisma } from "@/lib/platform/prisma/client";

/** A notice to the account's users, shown in the dashboard until it is dismissed or no longer applies. */
export const Notice = z.object({
  id: z.uuid(),
  /** The subject of the notice: webhook_failing, webhook_disabled … */
  kind: z.string(),
  severity: z.enum(["info", "warning", "critical"]),
  title: z.string(),
  body: z.string(),
  /** The dashboard page about the subject. */
  link: z.string().nullable(),
  created_at: z.iso.datetime(),
});

export type Notice = z.infer<typeof Notice>;

export const noticeSelect = {
  id: true,
  kind: true,
  severity: true,
  title: true,
  body: true,
  link: true,
  createdAt: true,
} satisfies Prisma.AccountNoticeSelect;

type NoticeRow = Prisma.AccountNoticeGetPayload<{ select: typeof noticeSelect }>;

export function toNotice({ createdAt, ...row }: NoticeRow): Notice {
  return { ...row, created_at: createdAt.toISOString() };
}
