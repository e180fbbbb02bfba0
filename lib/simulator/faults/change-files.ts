import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const FileStore = z
  .object({
    upload_urls_fail: z.boolean().describe("`true` makes the creation of attachments fail with 5003."),
    downloads_fail: z
      .boolean()
      .default(false)
      .describe("`true` makes operations that read stored files fail with 5002. Defaults to `false`."),
  })
  .meta({ examples: [{ upload_urls_fail: true, downloads_fail: false }] });

export const ChangeFiles = contract({
  summary: "Set or clear a fault of the simulated file storage",
  description: "Makes the account's simulated file storage fail, or work again.",
  tag: "Simulator",
  right: "manage_attachments",
  sandboxOnly: true,
  body: FileStore,
  returns: FileStore,
  status: 200,
  errors: ["field_missing", "parameter_invalid", "feature_not_available"],
  extension: true,
});

/** Changes the behavior of the account's files. Errors: feature_not_available. */
export async function changeFiles(ctx: Context, { body }: Input<typeof ChangeFiles>) {
  requireSandbox(ctx);
  const accountId = ctx.account.id;
  const given = { uploadUrlsFail: body.upload_urls_fail, downloadsFail: body.downloads_fail };
  await prisma().simulatorAccount.upsert({
    where: { accountId },
    create: { accountId, ...given },
    update: given,
  });
  return body;
}
