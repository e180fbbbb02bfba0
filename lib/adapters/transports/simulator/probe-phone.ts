import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { SERVICES } from "@/lib/adapters/transports/simulator/platforms";
import type { Capability } from "@/lib/adapters/transports/transport";
import { batched } from "@/lib/platform/database/batch";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import type { ServiceType } from "@/lib/platform/prisma/enums";

interface ProbeQuery {
  accountId: string;
  lineId: string;
  handle: string;
}

type Found = RowOf<"simulator-platforms">;

const find = batched<ProbeQuery, Found>({
  runOne: async (asked) => (await select([asked]))[0] ?? UNKNOWN,
  runMany: select,
});

const UNKNOWN: Found = { platform: "sms_only", has_rcs_account: true, checks_fail: false };

/**
 * Whether a handle's phone has a service. Never cached, because a phone may change its platform mid-thread. Throws
 * AdapterError when the line is configured to fail checks or to have no RCS account.
 */
export async function probePhone(line: LineRef, handle: string, service: ServiceType): Promise<Capability> {
  const found = await find({ accountId: line.accountId, lineId: line.id, handle });
  if (found.checks_fail)
    throw new AdapterError("unknown_outcome", "capability checks from this line get no response");
  if (service === "RCS" && !found.has_rcs_account) throw new AdapterError("no_account", "no RCS account");
  const services: readonly ServiceType[] = SERVICES[found.platform];
  return services.includes(service) ? "yes" : "no";
}

const SIMULATOR_PLATFORMS = statement(
  "simulator-platforms",
  `select coalesce(p.platform, 'sms_only') as platform, coalesce(l.has_rcs_account, true) as has_rcs_account,
    coalesce(l.checks_fail, false) as checks_fail
  from unnest(:accountIds::uuid[], :lineIds::uuid[], :handles::text[]) with ordinality as asked(account_id, line_id, handle, ord)
  left join simulator_phones p on p.account_id = asked.account_id and p.handle = asked.handle
  left join simulator_lines l on l.account_id = asked.account_id and l.line_id = asked.line_id
  order by asked.ord`,
);

async function select(asked: ProbeQuery[]): Promise<Found[]> {
  return sql.run(SIMULATOR_PLATFORMS, {
    accountIds: asked.map(({ accountId }) => accountId),
    lineIds: asked.map(({ lineId }) => lineId),
    handles: asked.map(({ handle }) => handle),
  });
}
