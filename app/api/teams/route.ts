import { CreateTeam, createTeam, ListTeams, listTeams } from "@/lib/messaging/team/teams";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListTeams, listTeams, authenticateSession);
export const POST = endpoint(CreateTeam, createTeam, authenticateSession);
