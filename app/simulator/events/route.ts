import { waitingEndpoint } from "@/lib/runtime/http/waiting-endpoint";
import { ListSimulatorEvents, listSimulatorEvents } from "@/lib/simulator/list-simulator-events";

export const GET = waitingEndpoint(ListSimulatorEvents, listSimulatorEvents);
