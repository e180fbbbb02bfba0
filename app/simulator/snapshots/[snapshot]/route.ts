import { endpoint } from "@/lib/runtime/http/endpoint";
import { DeleteSnapshot, deleteSnapshot } from "@/lib/simulator/snapshots";

export const DELETE = endpoint(DeleteSnapshot, deleteSnapshot);
