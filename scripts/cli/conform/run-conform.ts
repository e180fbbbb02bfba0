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
import { type Reachable, runWebhooks } from "@/scripts/cli/conform/areas/run-webhooks";
import { AREAS, type Area, type Check } from "@/scripts/cli/conform/check";
import { prepare } from "@/scripts/cli/conform/prepare";
import { Run } from "@/scripts/cli/conform/run";
import { WebhookReceiver } from "@/scripts/cli/conform/webhook-receiver";

/** What to compare with the contract. */
export interface ConformOptions {
  /** What stands before `/v3`. */
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
}

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
 * Compares a server with the contract. Returns all checks. Removes what it created, also when it fails. Errors: notRun
 * (no response, a token that is not accepted, a server that stopped responding, or a run that was stopped).
 */
export async function runConform(options: ConformOptions): Promise<Check[]> {
  const { listen, publicUrl, only = AREAS, stopped } = options;
  const run = new Run({ ...options, document: readApiDocument(options.spec) });
  const receiver = listen === undefined ? null : await WebhookReceiver.listen(listen);
  const reachable = receiver === null ? null : { receiver, url: publicUrl ?? receiver.url };
  void stopped?.then(() => run.http.stop());
  try {
    await prepare(run, options);
    for (const area of AREAS) if (only.includes(area)) await RUNS[area](run, reachable);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError("notRun", error.failure);
  } finally {
    await run.http.stop();
    await run.removeAll();
    await receiver?.close();
  }
  return run.checks.all;
}
