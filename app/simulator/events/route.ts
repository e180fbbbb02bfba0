import { waitingEndpoint } from "@/lib/runtime/streams/waiting-endpoint";
import { ListSimulatorEvents, listSimulatorEvents } from "@/lib/simulator/event-log/list-simulator-events";

export const GET = waitingEndpoint(ListSimulatorEvents, listSimulatorEvents);
