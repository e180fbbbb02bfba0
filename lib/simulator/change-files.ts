import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/db";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const FileStore = z.object({
  /** True: no address can be made for an upload, so announcing a file is 5003. */
  upload_urls_fail: z.boolean(),
  /** True: no stored file can be read, so what looks into one is 5002. */
  downloads_fail: z.boolean().default(false),
});

export const ChangeFiles = contract({
  summary: "Make the simulated file store fail, or well again",
  tag: "Simulator",
  sandboxOnly: true,
  body: FileStore,
  returns: FileStore,
  status: 200,
  errors: ["field_missing", "parameter_invalid", "feature_not_available"],
  extension: true,
});

/** How files of the account fare from now on. Errors: feature_not_available. */
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
