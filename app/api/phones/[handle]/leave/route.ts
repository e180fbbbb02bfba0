import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { LeaveOnPhone, leaveOnPhone } from "@/lib/simulator/phone-actions/change-members-on-phone";

export const POST = endpoint(LeaveOnPhone, leaveOnPhone, authenticateSession);
