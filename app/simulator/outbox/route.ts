import { waitingEndpoint } from "@/lib/runtime/http/waiting-endpoint";
import { ListOutbox, listOutbox } from "@/lib/simulator/list-outbox";

export const GET = waitingEndpoint(ListOutbox, listOutbox);
