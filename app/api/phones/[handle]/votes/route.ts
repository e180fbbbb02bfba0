import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { VoteOnPhone, voteOnPhone } from "@/lib/simulator/phone-actions/vote-on-phone";

export const POST = endpoint(VoteOnPhone, voteOnPhone, authenticateSession);
