import "server-only";
import { z } from "zod";
import { EVENT_TYPES } from "@/lib/events/catalog/event-types";
import { QuietChoice } from "@/lib/messaging/scheduled/quiet-time";
import { CreateChat, createChat } from "@/lib/messaging/sending/create-chat";
import { Handle, PhoneNumber } from "@/lib/platform/text/phone-handle";
import { mcpTool } from "@/lib/runtime/mcp/mcp-tool";
import { ControlClock, controlClock } from "@/lib/simulator/clock/change-clock";
import { TriggerEvent, triggerEvent } from "@/lib/simulator/event-log/trigger-event";
import { AddFault, addFault, listFaults, replaceFaults } from "@/lib/simulator/faults/change-faults";
import { NewFault } from "@/lib/simulator/faults/fault";
import { WriteFromPhone, writeFromPhone } from "@/lib/simulator/phone-actions/write-from-phone";
import { createPhone } from "@/lib/simulator/phones/create-phone";

const MAX_TEXT = 10_000;

const phoneSays = mcpTool({
  name: "phone_says",
  title: "Send a message from a simulated phone",
  description:
    "A simulated phone sends a text to a line or into a chat, as a customer would. Creates the phone if the account has none with this handle. Sandbox accounts only.",
  operation: WriteFromPhone,
  method: "POST",
  sandboxOnly: true,
  input: z.object({
    phone: Handle.describe("Handle of the phone, such as +15550100101."),
    to: z.union([z.uuid(), PhoneNumber]).describe("Number of your line, or ID of a chat."),
    text: z.string().min(1).max(MAX_TEXT).describe("The text, such as STOP."),
  }),
  async run(ctx, { phone, to, text }) {
    await createPhone(ctx, { handle: phone });
    return writeFromPhone(ctx, phone, { to, text });
  },
});

const sendMessage = mcpTool({
  name: "send_message",
  title: "Send a message",
  description:
    "Sends a text from a line of the sandbox to one or more handles; several make a group. The message is accepted as pending: read_timeline shows its outcome. With send_at in the result, it is sent then: the account has quiet hours. Sandbox accounts only.",
  operation: CreateChat,
  method: "POST",
  sandboxOnly: true,
  input: z.object({
    from: PhoneNumber.describe("Your line."),
    to: z.array(Handle).min(1).max(31).describe("Recipients."),
    text: z.string().min(1).max(MAX_TEXT).describe("The text."),
    idempotency_key: z.string().max(255).optional().describe("Key that prevents a second send."),
    quiet_hours: QuietChoice,
  }),
  async run(ctx, { from, to, text, idempotency_key, quiet_hours }) {
    const message = { parts: [{ type: "text", value: text }], idempotency_key };
    const body = CreateChat.body.parse({ from, to, message, quiet_hours });
    const { chat } = await createChat(ctx, { params: undefined, query: undefined, body });
    const { id, delivery_status, send_at } = chat.message;
    const result = { chat_id: chat.id, message_id: id, delivery_status, service: chat.service };
    return send_at === undefined ? result : { ...result, send_at };
  },
});

const trigger = mcpTool({
  name: "trigger_event",
  title: "Trigger a webhook event",
  description:
    "Creates an event of a type with example data, stored, signed and delivered like any other. Set data to override fields and ids to use your own IDs. Use it to test a webhook handler. Sandbox accounts only.",
  operation: TriggerEvent,
  method: "POST",
  sandboxOnly: true,
  input: z.object({
    event_type: z.enum(EVENT_TYPES).describe("Event type, such as message.failed."),
    data: z.record(z.string(), z.unknown()).optional().describe("Fields of the event's data to set."),
    ids: z.record(z.string(), z.string()).optional().describe("IDs to use, by name, such as chat_id."),
  }),
  async run(ctx, { event_type, ...rest }) {
    const params = TriggerEvent.params.parse({ eventType: event_type });
    return triggerEvent(ctx, { params, query: undefined, body: TriggerEvent.body.parse(rest) });
  },
});

const advanceClock = mcpTool({
  name: "advance_clock",
  title: "Advance the clock",
  description:
    "Advances the platform clock of the instance and runs the work that becomes due, in order: retries, expiries, receipts. Returns the work by type. Use it to pass an edit window, a retry ladder or an expiry. The instance needs CLOCK_CONTROL=1. Sandbox accounts only.",
  operation: ControlClock,
  method: "POST",
  sandboxOnly: true,
  input: z.object({
    by: z.string().max(20).describe("Duration, such as 90s, 16m, 24h or 2d."),
  }),
  async run(ctx, { by }) {
    const body = ControlClock.body.parse({ advance: by, run_until_idle: true });
    return controlClock(ctx, { params: undefined, query: undefined, body });
  },
});

const inject = mcpTool({
  name: "add_fault",
  title: "Add a fault",
  description:
    "Makes API calls, the simulated network or webhook deliveries of the sandbox fail, wait, repeat or change their order, to rehearse how your code reacts. Returns all faults with how often each applied. Sandbox accounts only.",
  operation: AddFault,
  method: "POST",
  sandboxOnly: true,
  input: z.object({
    ...NewFault.shape,
    replace: z.boolean().default(false).describe("Removes the existing faults first."),
  }),
  async run(ctx, { replace, ...fault }) {
    const body = NewFault.parse(fault);
    const none = { params: undefined, query: undefined };
    if (replace) await replaceFaults(ctx, { ...none, body: { faults: [body] } });
    else await addFault(ctx, { ...none, body });
    return listFaults(ctx);
  },
});

/** Tools that rehearse conversations and failures in sandbox accounts. */
export const SIMULATOR_TOOLS = [phoneSays, sendMessage, trigger, advanceClock, inject];
