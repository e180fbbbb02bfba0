import { ArchiveAccount, archiveAccount } from "@/lib/identity/accounts/archive-account";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ArchiveAccount, archiveAccount, authenticateSession);
