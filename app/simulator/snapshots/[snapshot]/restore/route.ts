import { endpoint } from "@/lib/runtime/http/endpoint";
import { RestoreSnapshot, restoreSnapshot } from "@/lib/simulator/accounts/snapshots";

export const POST = endpoint(RestoreSnapshot, restoreSnapshot);
