import { openCluster } from "../../instance/open-cluster.mjs";
import { openPartners } from "./open-partners.mjs";
import { startProcesses } from "./start-processes.mjs";
import { watchScheduled } from "./watch-scheduled.mjs";

/**
 * Starts the world of a plan in `dataDir`: PostgreSQL, the processes, the partners with their lines, people and
 * receivers, and the SMS center. `history` records what programs and people asked and what was answered.
 */
export async function openWorld({ world, dataDir, seed }) {
  const stops = [];
  try {
    const cluster = await openCluster(dataDir);
    stops.push(cluster.close);
    const processes = await startProcesses({ cluster, ...world });
    stops.push(processes.stop);
    const { partners, smsc, vendorProxy } = await openPartners({
      world,
      seed,
      cluster,
      webs: processes.webs,
      stops,
    });
    const history = {
      ...{ requests: [], sends: [], scheduled: [], texts: [], payments: [], faults: [], memory: [] },
      ...{ clock: { offsetMs: 0 }, ticks: [], left: [] },
    };
    stops.push(watchScheduled({ cluster, history }));
    return {
      cluster,
      processes,
      webs: processes.webs,
      partners,
      smsc,
      vendorProxy,
      history,
      close: () => closeAll(stops),
    };
  } catch (error) {
    await closeAll(stops);
    throw error;
  }
}

async function closeAll(stops) {
  for (const stop of stops.splice(0).reverse()) await stop();
}
