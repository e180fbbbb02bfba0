import { AssignLine, assignLine } from "@/lib/lines/assignment/assign-line";
import { ListLineSettings, listLineSettings } from "@/lib/lines/overview/list-line-settings";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListLineSettings, listLineSettings, authenticateSession);
export const POST = endpoint(AssignLine, assignLine, authenticateSession);
