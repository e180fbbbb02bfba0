import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { asPerson } from "@/lib/simulator/as-person";
import { LeaveOnPhone, leaveOnPhone } from "@/lib/simulator/change-members-on-phone";

export const POST = endpoint(asPerson(LeaveOnPhone), leaveOnPhone, authenticateSession);
