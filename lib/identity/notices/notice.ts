import "server-only";
import { z } from "zod";

const NOTICE_STATES = ["open", "dismissed", "ended"] as const;

/** A notice to the account's users, shown to each until they dismiss it or it no longer applies. */
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
  /** `dismissed` by the caller, or `ended` because it no longer applies. */
  state: z.enum(NOTICE_STATES),
  /** When it was dismissed or ended; null while it is open. */
  closed_at: z.iso.datetime().nullable(),
});

/**
 * SQL: whether a user (`:userId`) sees a notice `n`: one for everyone, one for the user, or one for a team of the user that a
 * colleague caused.
 */
export const SEES_NOTICE = `case when n.team_id is null then n.user_id is null or n.user_id = :userId::uuid
    else n.user_id is distinct from :userId::uuid and exists (select from team_members m
      where m.account_id = n.account_id and m.team_id = n.team_id and m.user_id = :userId::uuid) end`;

export type Notice = z.infer<typeof Notice>;
