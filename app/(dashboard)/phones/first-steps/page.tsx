import { FirstMessage } from "@/components/phones/screen/first-message";
import { listEventViews } from "@/lib/events/search/list-event-views";
import { logPosition } from "@/lib/events/tail/log-position";
import { getStartingPoint } from "@/lib/identity/accounts/get-starting-point";
import { listLines } from "@/lib/lines/lines/list-lines";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { requireSandboxAccount } from "@/lib/runtime/dashboard/require-sandbox-account";
import { listPhoneViews } from "@/lib/simulator/phones/list-phone-views";

export const metadata = { title: "First message" };

const EVENTS_SHOWN = 8;

export default async function FirstStepsPage() {
  const { account, ctx, may } = await requireAccount("view_chats");
  requireSandboxAccount(account);
  const [start, after, { phone_numbers }] = await Promise.all([
    getStartingPoint(ctx),
    logPosition(),
    listLines(ctx),
  ]);
  const [view, events] = await Promise.all([
    listPhoneViews(ctx, { query: { open: start.phone === null ? [] : [start.phone] } }),
    listEventViews(ctx, { query: { limit: EVENTS_SHOWN, types: [] } }),
  ]);
  return (
    <FirstMessage
      key={account.id}
      start={start}
      view={view}
      events={events}
      after={after}
      lines={phone_numbers.map(({ id, phone_number }) => ({ id, phone_number }))}
      mayManage={may("manage_webhooks")}
      now={ctx.now.toISOString()}
    />
  );
}
