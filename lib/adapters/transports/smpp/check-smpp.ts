import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { explainBind } from "@/lib/adapters/transports/smpp/explain-bind";
import { bindOnce } from "@/lib/adapters/transports/smpp/smpp-bind";
import type { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";

/** Connects to the SMS center with the settings, binds and unbinds. Throws AdapterError `rejected` with the reason. */
export async function checkSmpp(settings: SmppSettings): Promise<void> {
  try {
    await bindOnce(settings);
  } catch (error) {
    throw new AdapterError("rejected", explainBind(error, settings));
  }
}
