import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { selectReplays, WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

export const GetReplay = contract({
  summary: "Get a replay with its progress",
  tag: "Webhooks",
  right: "view_webhooks",
  params: z.object({ replayId: z.uuid() }),
  returns: WebhookReplay,
  status: 200,
  errors: ["name_unknown"],
});

/** A replay of the account with its progress. Errors: name_unknown. */
export function getReplay(ctx: Context, { params }: Pick<Input<typeof GetReplay>, "params">) {
  return readReplay(ctx, params.replayId);
}

/** Like `getReplay`, by id. Errors: name_unknown. */
export async function readReplay(ctx: Context, id: string): Promise<WebhookReplay> {
  const [replay] = await selectReplays(sql, ctx.account.id, [id]);
  return replay ?? fail("name_unknown", "the account has no replay with this ID");
}
