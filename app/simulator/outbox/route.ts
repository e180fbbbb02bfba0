import { waitingEndpoint } from "@/lib/runtime/streams/waiting-endpoint";
import { ListOutbox, listOutbox } from "@/lib/simulator/phones/list-outbox";

export const GET = waitingEndpoint(ListOutbox, listOutbox);
