import "server-only";
import { allTransports } from "@/lib/adapters/transports/registry";
import { startAttachmentSweep } from "@/lib/attachments/retention/sweep-attachments";
import { startMails } from "@/lib/identity/mail/deliver-mails";
import { startLineSessions } from "@/lib/lines/connections/keep-sessions";
import { startLinePolls } from "@/lib/lines/connections/poll-lines";
import { storeThroughputs } from "@/lib/lines/connections/store-throughputs";
import { startAudits } from "@/lib/lines/reputation/work-audits";
import { startFailover } from "@/lib/lines/transports/fail-over-lines";
import { startActions } from "@/lib/messaging/actions/perform-actions";

import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { startFileFetches } from "@/lib/messaging/inbound/fetch-files";
import { startScheduledMessages } from "@/lib/messaging/scheduled/send-due-messages";
import { startClosingTurns } from "@/lib/messaging/turns/close-turns";
import { startOperatorNotifications } from "@/lib/operations/instance/deliver-notifications";
import { startInstanceWatch } from "@/lib/operations/instance/watch-instance";
import { startCardUpdates } from "@/lib/payments/experiences/update-cards";
import { startAnalyzing } from "@/lib/platform/database/analyze-grown-tables";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";
import { startErasures } from "@/lib/privacy/erasure/work-erasures";
import { inboundSink, waitingSink } from "@/lib/runtime/wiring/inbound-sink";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
import { startSchedules } from "@/lib/runtime/worker/start-schedules";
import { startDelayedMessages } from "@/lib/simulator/phone-actions/delayed-messages";
import { startWebhookDelivery } from "@/lib/webhooks/deliveries/deliver-webhooks";
import { startReplays } from "@/lib/webhooks/replays/work-replays";

export interface Worker {
  /** Claims nothing new and waits for work in progress. */
  stop(): Promise<void>;
}

const shared = globalThis as typeof globalThis & { trunklineWorkers?: number };

/** Whether this process processes queues. */
export function isWorkerRunning(): boolean {
  return (shared.trunklineWorkers ?? 0) > 0;
}

/** Starts this process's queues (sends, chat actions, inbound events, webhook deliveries) and recurring jobs. */
export async function startWorker(): Promise<Worker> {
  registerDependencies();
  const transports = allTransports().flatMap((transport) => transport.start?.(inboundSink) ?? []);
  await storeThroughputs().catch((error: unknown) =>
    log.warn({ err: error }, "the throughputs of lines could not be stored"),
  );
  const sessions = startLineSessions(waitingSink);
  const optional = [startMails(), startOperatorNotifications()].filter((queue) => queue !== null);
  const running = [
    startDispatch(),
    startActions(),
    startScheduledMessages(),
    ...transports,
    startLinePolls(waitingSink),
    startFailover(),
    startWebhookDelivery(),
    startReplays(),
    startAttachmentSweep(),
    startFileFetches(),
    startClosingTurns(),
    startAudits(),
    ...optional,
    startInstanceWatch(),
    startCardUpdates(),
    startErasures(),
    ...(env().SIMULATOR ? [startDelayedMessages()] : []),
    startSchedules(),
    startAnalyzing(),
  ];
  shared.trunklineWorkers = (shared.trunklineWorkers ?? 0) + 1;
  return {
    async stop() {
      shared.trunklineWorkers = (shared.trunklineWorkers ?? 1) - 1;
      await Promise.all(running.map((part) => part.stop()));
      // Sends in progress still need their sessions.
      await sessions.stop();
    },
  };
}
