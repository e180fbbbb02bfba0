import "server-only";
import type { ServerResponse } from "node:http";
import { newTraceId } from "@/lib/platform/ids";
import { readiness } from "@/lib/runtime/monitoring/readiness";

export function isHealthPath(path: string): boolean {
  return path === "/health" || path === "/ready";
}

/**
 * `/health`: the process responds. `/ready`: the process can do its work (readiness.ts); otherwise 503 within two
 * seconds.
 */
export async function healthAnswer(path: string, response: ServerResponse): Promise<void> {
  if (path === "/health") return answer(response, 200, { status: "ok" });
  const checks = await readiness();
  const ready = Object.values(checks).every((check) => check === "ok");
  answer(response, ready ? 200 : 503, { status: ready ? "ready" : "not ready", checks });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-trace-id": newTraceId(),
  });
  response.end(JSON.stringify(body));
}
