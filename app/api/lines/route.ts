import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { AssignLine, assignLine } from "@/lib/lines/lines/assign-line";
import { ListLineSettings, listLineSettings } from "@/lib/lines/lines/list-line-settings";

export const GET = endpoint(ListLineSettings, listLineSettings, authenticateSession);
export const POST = endpoint(AssignLine, assignLine, authenticateSession);
