import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { statusName } from "@/lib/adapters/transports/smpp/command-status";
import type { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";

/** The SMS center refused a bind with a command status (SMPP 3.4, 5.1.3). */
export class BindRefused extends Error {
  constructor(readonly status: number) {
    super(`The SMS center refused the bind with ${statusName(status)}`);
  }
}

const REFUSALS: Readonly<Record<number, string>> = {
  3: "The SMS center does not know this type of bind. Choose another one under Bind.",
  4: "The SMS center does not allow this type of bind. Choose another one under Bind.",
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

/** Explains to the operator why a bind failed. */
export function explainBind(error: unknown, settings: SmppSettings): string {
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
