import "server-only";
import type { ServerResponse } from "node:http";
import { sql } from "@/lib/platform/db";
import { isDraining } from "@/lib/platform/drain";
import { env } from "@/lib/platform/env";
import { newTraceId } from "@/lib/platform/ids";
import { pendingMigrations } from "@/lib/platform/migrate";
import { isWorkerRunning } from "@/lib/worker/start-worker";

const CHECK_MS = 2000;

export function isHealthPath(path: string): boolean {
  return path === "/health" || path === "/ready";
}

/** `/health`: the process answers. `/ready`: it can do its work: database, migrations, workers; 503 when it cannot. */
export async function healthAnswer(path: string, response: ServerResponse): Promise<void> {
  if (path === "/health") return answer(response, 200, { status: "ok" });
  const checks = await readiness();
  const ready = Object.values(checks).every((check) => check === "ok");
  answer(response, ready ? 200 : 503, { status: ready ? "ready" : "not ready", checks });
}

async function readiness(): Promise<Record<string, string>> {
  const [database, migrations] = await Promise.all([
    check(async () => {
      await sql.query({ text: "select 1" });
      return "ok";
    }),
    check(async () => {
      const pending = await pendingMigrations(env().DATABASE_URL);
      return pending.length === 0 ? "ok" : `${pending.length} pending`;
    }),
  ]);
  const worker = env().ROLE === "web" || isWorkerRunning() ? "ok" : "stopped";
  return { database, migrations, worker, server: isDraining() ? "draining" : "ok" };
}

function check(look: () => Promise<string>): Promise<string> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, CHECK_MS, "timed out").unref());
  return Promise.race([look().catch((error: Error) => error.message), late]);
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-trace-id": newTraceId(),
  });
  response.end(JSON.stringify(body));
}
