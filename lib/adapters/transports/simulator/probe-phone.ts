import "server-only";
import { SERVICES } from "@/lib/adapters/transports/simulator/platforms";
import type { LineRef, Reach } from "@/lib/adapters/transports/transport";
import { batched } from "@/lib/platform/batch";
import { sql } from "@/lib/platform/db";
import type { PhonePlatform, ServiceType } from "@/lib/platform/prisma/enums";

interface Asked {
  accountId: string;
  handle: string;
}

const findPlatform = batched<Asked, PhonePlatform>({
  runOne: async (asked) => (await selectPlatforms([asked]))[0] ?? "sms_only",
  runMany: selectPlatforms,
});

/** Whether a handle's phone has a service. Looked up anew each time: a phone may change its platform mid-thread. */
export async function probePhone(line: LineRef, handle: string, service: ServiceType): Promise<Reach> {
  const platform = await findPlatform({ accountId: line.accountId, handle });
  const services: readonly ServiceType[] = SERVICES[platform];
  return services.includes(service) ? "yes" : "no";
}

async function selectPlatforms(asked: Asked[]): Promise<PhonePlatform[]> {
  const rows = await sql.query<{ platform: PhonePlatform }>({
    name: "simulator-platforms",
    text: `select coalesce(p.platform::text, 'sms_only') as platform
           from unnest($1::uuid[], $2::text[]) with ordinality as asked(account_id, handle, ord)
           left join simulator_phones p on p.account_id = asked.account_id and p.handle = asked.handle
           order by asked.ord`,
    values: [asked.map(({ accountId }) => accountId), asked.map(({ handle }) => handle)],
  });
  return rows.map((row) => row.platform);
}
