import { CliError } from "@/scripts/cli/cli-error";
import { readApiDocument } from "@/scripts/cli/conform/api-document";
import { runIdempotency } from "@/scripts/cli/conform/areas/run-idempotency";
import { runInputs } from "@/scripts/cli/conform/areas/run-inputs";
import { runLimits } from "@/scripts/cli/conform/areas/run-limits";
import { runLists } from "@/scripts/cli/conform/areas/run-lists";
import { runOperations } from "@/scripts/cli/conform/areas/run-operations";
import { runPhones } from "@/scripts/cli/conform/areas/run-phones";
import { runSends } from "@/scripts/cli/conform/areas/run-sends";
import { runTokens } from "@/scripts/cli/conform/areas/run-tokens";
import { runWebhooks } from "@/scripts/cli/conform/areas/run-webhooks";
import { AREAS, type Area, type Check } from "@/scripts/cli/conform/check";
import { AreaEnded } from "@/scripts/cli/conform/http-client";
import { prepare } from "@/scripts/cli/conform/prepare";
import { Run } from "@/scripts/cli/conform/run";
import { type Reachable, WebhookReceiver } from "@/scripts/cli/conform/webhook-receiver";

/** The implementation to compare with the contract, and how. */
export interface ConformOptions {
  /** The URL without `/v3`. */
  baseUrl: string;
  token: string;
  /** The one person who may be written to. */
  to?: string;
  /** Use an account of the run's own with simulated phones, where the server offers the simulator. */
  phones: boolean;
  /** `host:port` for webhooks. */
  listen?: string;
  /** The URL of the receiver as the server reaches it. By default the address of `listen`. */
  publicUrl?: string;
  /** Only these areas. */
  only?: readonly Area[];
  /** An OpenAPI document in place of the package's. */
  spec?: string;
  /** The time limit of each request. */
  timeoutSeconds: number;
  /** How long a delivery may take. */
  waitSeconds: number;
  /** Resolves when the run has to end: nothing is sent but removals. */
  stopped?: Promise<void>;
  /** Gets what the run created and could not remove, one line each. */
  left?: string[];
}

/** How long an area may take, so that a slow server does not keep a run forever. */
const MAX_AREA_MS = 30 * 60_000;

/** The areas, in their order. */
const RUNS: Readonly<Record<Area, (run: Run, reachable: Reachable | null) => Promise<void>>> = {
  tokens: runTokens,
  operations: runOperations,
  inputs: runInputs,
  lists: runLists,
  idempotency: runIdempotency,
  sends: runSends,
  webhooks: runWebhooks,
  phones: runPhones,
  limits: runLimits,
};

/**
 * Compares a server with the contract. Returns all checks. Removes what it created, also when it fails. A server that
 * stops responding later, and an area that takes too long, are differences. Errors: notRun (no response, a token that is
 * not accepted, or a run that was stopped).
 */
export async function runConform(options: ConformOptions): Promise<Check[]> {
  const { listen, publicUrl, only = AREAS, stopped } = options;
  const run = new Run({ ...options, document: readApiDocument(options.spec) });
  const receiver = listen === undefined ? null : await WebhookReceiver.listen(listen);
  const reachable = receiver === null ? null : { receiver, url: publicUrl ?? receiver.url };
  void stopped?.then(() => run.http.stop());
  try {
    await prepare(run, options);
    for (const area of AREAS.filter((one) => only.includes(one))) {
      if (!(await runArea(run, area, reachable))) break;
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CliError("notRun", run.http.withoutSecrets(message));
  } finally {
    await run.http.stop();
    const left = await run.removeAll();
    options.left?.push(...left);
    await receiver?.close();
  }
  return run.checks.all;
}

/** Returns whether the next area can run. */
async function runArea(run: Run, area: Area, reachable: Reachable | null): Promise<boolean> {
  run.http.limit(MAX_AREA_MS);
  try {
    await run.attempt(area, area, () => RUNS[area](run, reachable));
    return true;
  } catch (error) {
    if (!(error instanceof AreaEnded)) throw error;
    const subject = { area, name: "the end of the area", section: "1.1" } as const;
    const expected = `a response to each request, and an end within ${MAX_AREA_MS / 60_000} minutes`;
    run.add({ ...subject, expected }, { problems: [error.message] });
    return !error.endsRun;
  }
}
