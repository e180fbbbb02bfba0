import "server-only";
import type { LoggedRequestDetails } from "@/lib/request-log/search/api-request";
import { MAX_STORED_BYTES } from "@/lib/request-log/store/stored-body";

/** Returns the request as a curl command, with $TRUNKLINE_TOKEN in place of the token. Comments name missing parts. */
export function curlOf(logged: LoggedRequestDetails, baseUrl: string): string {
  const { method, path, request } = logged;
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(`${baseUrl}${path}`)}`,
    `-H "Authorization: Bearer $TRUNKLINE_TOKEN"`,
    ...["content-type", "idempotency-key"].flatMap((name) => header(name, request.headers[name])),
    ...(request.body === null ? [] : [`--data-raw ${quoted(request.body)}`]),
  ];
  return [...notesOn(logged), lines.join(" \\\n  ")].join("\n");
}

function notesOn({ path, request }: LoggedRequestDetails): string[] {
  const kept = `${path}${request.body ?? ""}`;
  return [
    ...(request.body === null && request.size_bytes > 0 ? ["# The body was deleted with its message."] : []),
    ...(request.body !== null && request.size_bytes > MAX_STORED_BYTES
      ? ["# The body is truncated after 8 KB."]
      : []),
    ...(kept.includes("[redacted]") ? ["# Secrets are not stored. Replace [redacted] with the secret."] : []),
  ];
}

function header(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`-H ${quoted(`${name}: ${value}`)}`];
}

// Within single quotes, only the single quote itself is special to a shell.
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
