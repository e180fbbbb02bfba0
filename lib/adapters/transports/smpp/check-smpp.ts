import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { BindRefused, bindOnce } from "@/lib/adapters/transports/smpp/smpp-bind";
import type { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";

/** SMPP 3.4, 5.1.3 command_status, of a bind. */
const REFUSALS: Readonly<Record<number, string>> = {
  5: "The SMS center accepts no second connection for this system ID. The line may be connected already.",
  13: "The SMS center refused the system ID or the password.",
  14: "The SMS center refused the password.",
  15: "The SMS center does not know the system ID.",
  83: "The SMS center refused the system type.",
};
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens there. Check the host and the port.",
  ENOTFOUND: "The host name does not exist.",
  ECONNRESET: "The SMS center ended the connection. It may expect TLS, or accept only known IP addresses.",
  ETIMEDOUT: "The SMS center did not respond. It may accept only known IP addresses.",
  UND_ERR_CONNECT_TIMEOUT: "The SMS center did not respond. It may accept only known IP addresses.",
};
const NO_TLS =
  "The SMS center does not use TLS on this port, or accepts only known IP addresses. Turn TLS off, or enter the port for TLS.";

/** Connects to the SMS center with the settings, binds and unbinds. Throws AdapterError `rejected` with the reason. */
export async function checkSmpp(settings: SmppSettings): Promise<void> {
  try {
    await bindOnce(settings);
  } catch (error) {
    throw new AdapterError("rejected", reasonOf(error, settings));
  }
}

function reasonOf(error: unknown, settings: SmppSettings): string {
  if (error instanceof BindRefused) return REFUSALS[error.status] ?? `${error.message}.`;
  if (error instanceof AdapterError) {
    return "The SMS center did not answer the bind. It may expect TLS on this port.";
  }
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  if (code === "ECONNRESET" && settings.tls === "on") return NO_TLS;
  if (code === "EPROTO" || code.startsWith("ERR_SSL")) return NO_TLS;
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code)) {
    return `The certificate is not trusted (${code}). Enter the CA certificate of the SMS center.`;
  }
  return NETWORK[code] ?? error.message;
}
