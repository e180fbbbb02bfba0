import { endpoint } from "@/lib/runtime/http/endpoint";
import { DeleteSnapshot, deleteSnapshot } from "@/lib/simulator/accounts/snapshots";

export const DELETE = endpoint(DeleteSnapshot, deleteSnapshot);
