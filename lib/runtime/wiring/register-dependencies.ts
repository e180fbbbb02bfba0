import "server-only";
import { provideConnections } from "@/lib/adapters/transports/callback";
import { type PaymentMessage, provideCustomer } from "@/lib/adapters/transports/customer-port";
import { provideSink } from "@/lib/adapters/transports/sink";
import { EVENT_CATALOG } from "@/lib/docs/reference/event-catalog";
import { registerEvents } from "@/lib/events/catalog/event-registry";
import { extendLineConnection, findConnection } from "@/lib/lines/connections/line-connection";
import { provideContentCopies } from "@/lib/messaging/expiry/content-copies";
import { providePayments } from "@/lib/messaging/sending/payment-port";
import { provideRecipients } from "@/lib/messaging/sending/recipient-port";
import { MESSAGE_PAYMENTS } from "@/lib/payments/message-payments";
import { installUndici } from "@/lib/platform/http/install-undici";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { eraseSnapshots } from "@/lib/simulator/accounts/erase-snapshots";
import { provideJobs } from "@/lib/simulator/clock/job-port";
import { introduceMagicHandles } from "@/lib/simulator/magic-handles/magic-handles";
import { eraseOnPhones } from "@/lib/simulator/phones/erase-on-phones";

/**
 * Registers dependencies that lower modules must not import: event payloads, payments for messages, the simulator's
 * copies of content, the sink of transports, the recurring jobs, magic handles, and the payment pages for simulated
 * customers. The built-in `fetch` uses the installed undici from then on. Every process calls it first; a second call changes nothing.
 */
export function registerDependencies(): void {
  installUndici();
  registerEvents(EVENT_CATALOG);
  providePayments(MESSAGE_PAYMENTS);
  provideContentCopies([eraseOnPhones, eraseSnapshots]);
  provideSink(inboundSink);
  provideConnections(findConnection, extendLineConnection);
  provideJobs(runJobOnce);
  provideRecipients(introduceMagicHandles);
  provideCustomer(actAsCustomer);
}

// The jobs load much of the service, so they are loaded only when one is run.
async function runJobOnce(name: string, stop: AbortSignal): Promise<number> {
  const { SCHEDULES } = await import("@/lib/runtime/jobs/schedules");
  const schedule = SCHEDULES.find((each) => each.name === name);
  if (schedule === undefined) throw new Error(`no recurring job is named ${name}`);
  return schedule.run(stop);
}

// The payment pages are loaded with the first message to a simulated customer.
async function actAsCustomer(message: PaymentMessage): Promise<string | null> {
  return (await import("@/lib/simulator/magic-handles/act-as-customer")).actAsCustomer(message);
}
