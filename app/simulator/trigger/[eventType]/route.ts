import { endpoint } from "@/lib/runtime/http/endpoint";
import { TriggerEvent, triggerEvent } from "@/lib/simulator/event-log/trigger-event";

export const POST = endpoint(TriggerEvent, triggerEvent);
