import { arrived, examineAttempts } from "@/scripts/cli/conform/areas/examine-attempts";
import { subscribe, VERSIONS } from "@/scripts/cli/conform/areas/subscribe";
import { documentedEvents, type Subscription } from "@/scripts/cli/conform/examine-webhook";
import type { Run } from "@/scripts/cli/conform/run";
import { idAt } from "@/scripts/cli/conform/value-at";
import type { Reachable } from "@/scripts/cli/conform/webhook-receiver";

const NO_TRIGGER = "conform does not cause this event without the simulator: use --phones and --listen";
/** All events together arrive within several times of what one delivery may take. */
const MAX_WAITS = 3;
const NO_VERSION = `the document describes no payload of version ${VERSIONS.join(" or ")}`;
const NEVER_SENT = "the document says that this event is never sent";

/**
 * Triggers every event of the document by the simulator, and examines its deliveries in each version. `tested`: the events that
 * the area causes by messages. The others are named where they can't be triggered.
 */
export async function checkEveryEvent(run: Run, reachable: Reachable | null, tested: readonly string[]) {
  const events = documentedEvents(run.document).filter(({ type }) => !tested.includes(type));
  const skip = (types: readonly { type: string }[], reason: string) => {
    for (const { type } of types) run.checks.skip("webhooks", `the event ${type}`, reason);
  };
  const isDescribed = ({ versions }: { versions: readonly string[] }) =>
    versions.some((version) => VERSIONS.includes(version));
  const possible = events.filter(({ isNeverSent }) => !isNeverSent);
  const sent = possible.filter(isDescribed);
  skip(
    events.filter(({ isNeverSent }) => isNeverSent),
    NEVER_SENT,
  );
  skip(
    possible.filter((event) => !isDescribed(event)),
    NO_VERSION,
  );
  if (sent.length === 0) return;
  if (!run.world.isOwn || reachable === null) return skip(sent, NO_TRIGGER);

  const subscriptions: Subscription[] = [];
  for (const version of VERSIONS) {
    const types = sent.map(({ type }) => type);
    const name = `every event of ${version}`;
    const created = await subscribe(run, { url: reachable.url, version, types, name });
    if (created !== null) subscriptions.push(created);
  }
  if (subscriptions.length === 0) return skip(sent, "the account takes no subscription of the run");
  const ids = new Map<string, string>();
  for (const { type } of sent) {
    const { status, json } = await run.http.send({
      method: "POST",
      path: `/simulator/trigger/${type}`,
      body: {},
    });
    const id = idAt(json, "event_id");
    if (status === 201 && id !== undefined) ids.set(type, id);
  }
  if (ids.size === 0) return skip(sent, NO_TRIGGER);

  const deadline = Date.now() + MAX_WAITS * run.waitMs;
  for (const { type, versions } of sent) {
    const id = ids.get(type);
    if (id === undefined) {
      const subject = { area: "webhooks", name: `the event ${type}`, section: "12.4" } as const;
      run.add({ ...subject, expected: "201 for a trigger" }, { problems: ["could not be triggered"] });
      continue;
    }
    for (const subscription of subscriptions.filter(({ version }) => versions.includes(version))) {
      const attempts = await arrived(
        run,
        reachable.receiver,
        ({ path, event }) => path.includes(subscription.path) && event.event_id === id,
        { limitMs: Math.max(0, deadline - Date.now()) },
      );
      examineAttempts(run, { type, subscription, attempts });
    }
  }
}
