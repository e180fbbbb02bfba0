import { ListTeamMembers, listTeamMembers } from "@/lib/messaging/team/team-member";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListTeamMembers, listTeamMembers, authenticateSession);
