import "server-only";
import { Agent, setGlobalDispatcher } from "undici";

const agent = new Agent({ allowH2: false });

/**
 * Makes the built-in `fetch` send its requests with the installed undici. The one inside Node.js 24 ends the process
 * when a server closes a connection whose response is being read slowly (undici issue 5360).
 */
export function installUndici(): void {
  setGlobalDispatcher(agent);
}
