import {
  GetSignInRules,
  getSignInRules,
  UpdateSignInRules,
  updateSignInRules,
} from "@/lib/identity/people/sign-in-rules";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetSignInRules, getSignInRules, authenticateSession);
export const PATCH = endpoint(UpdateSignInRules, updateSignInRules, authenticateSession);
