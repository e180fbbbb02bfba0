import { open } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { transaction } from "@/lib/platform/database/db";
import { Handle } from "@/lib/platform/text/phone-handle";
import { erasePerson, findErasure } from "@/lib/privacy/erasure/erase-person";
import { performErasure } from "@/lib/privacy/erasure/work-erasures";
import { exportArchive } from "@/lib/privacy/export/export-archive";
import type { ExportScope } from "@/lib/privacy/export/read-rows";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";
import { type Commands, findAccount, systemContext } from "@/scripts/admin/command";

const PersonOptions = z.object({
  account: z.uuid(),
  handle: z.string().transform(normalizeHandle).pipe(Handle),
});
const To = { to: z.string({ error: "Name the file: --to export.zip" }) };

/** Commands about the personal data of an account. */
export const PERSON_COMMANDS: Commands = {
  "erase-person": async (options) => {
    const { account, handle } = PersonOptions.parse(options);
    const context = systemContext(await findAccount(account));
    const input = { params: { handle }, body: { confirmation: handle } };
    const { id } = await erasePerson(context, input);
    await performErasure(account, id);
    const erasure = await findErasure(account, handle);
    const counts = Object.entries(erasure?.counts ?? {}).map(([table, rows]) => `  ${table}: ${rows}`);
    const state =
      erasure?.erased_at == null
        ? "a step failed; a worker tries it again (see the log)"
        : "erased; a worker erases the remains of what was in flight in 15 minutes";
    const backups =
      erasure?.in_backups == null
        ? []
        : [`backups contain the person until ${erasure.in_backups.until ?? "you remove them"}`];
    return [`erasure ${id}: ${state}`, ...counts, ...backups].join("\n");
  },
  "export-person": async (options) => {
    const { account, handle, to } = PersonOptions.extend(To).parse(options);
    return writeArchive({ accountId: account, handle }, to);
  },
  "export-account": async (options) => {
    const { account, to } = z.object({ account: z.uuid(), ...To }).parse(options);
    return writeArchive({ accountId: account, handle: null }, to);
  },
};

// The file contains personal data, so only its owner may read it. An existing file is not replaced.
async function writeArchive(scope: ExportScope, to: string): Promise<string> {
  const ctx = systemContext(await findAccount(scope.accountId));
  const file = await open(path.resolve(to), "wx", 0o600);
  let sizeBytes = 0;
  try {
    const [type, id]: ["account" | "handle", string] =
      scope.handle === null ? ["account", scope.accountId] : ["handle", scope.handle];
    await transaction((tx) => recordAudit(tx, ctx, `${type}.exported`, type, id));
    for await (const chunk of exportArchive(scope)) {
      await file.writeFile(chunk);
      sizeBytes += chunk.byteLength;
    }
  } finally {
    await file.close();
  }
  return `exported to ${path.resolve(to)} (${(sizeBytes / 1e6).toFixed(1)} MB)`;
}
