import {
  RemoveOwnPasskey,
  RenameOwnPasskey,
  removeOwnPasskey,
  renameOwnPasskey,
} from "@/lib/identity/passkeys/change-own-passkey";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PATCH = endpoint(RenameOwnPasskey, renameOwnPasskey, authenticateSession);
export const DELETE = endpoint(RemoveOwnPasskey, removeOwnPasskey, authenticateSession);
