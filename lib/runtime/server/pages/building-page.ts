import "server-only";
import { ERRORS } from "@/lib/platform/errors/errors";
import type { Answer } from "@/lib/runtime/http/answer";
import { standalonePage } from "@/lib/runtime/server/pages/standalone-page";

const RELOAD_SECONDS = 3;

/** The state of the build of the pages, before they can be served. */
export type PagesBuild = "running" | "failed";

/** The response to browsers before the pages are built: 503 with Retry-After, and a page that reloads itself. */
export function buildingPage(build: PagesBuild, traceId: string): Answer {
  const { status } = ERRORS.service_unavailable;
  return build === "running"
    ? standalonePage({
        status,
        heading: "The dashboard is being built",
        paragraphs: [
          "This happens once after an install or a change and takes about one minute. This page then opens by itself.",
          "The API, the simulator and webhooks already work.",
        ],
        reloadSeconds: RELOAD_SECONDS,
        traceId,
      })
    : standalonePage({
        status,
        heading: "The dashboard could not be built",
        paragraphs: [
          "The API, the simulator and webhooks still work.",
          "The log shows why the build failed. Fix the cause, then restart Trunkline.",
        ],
        reloadSeconds: 10 * RELOAD_SECONDS,
        traceId,
      });
}
