import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  CreateSnapshot,
  createSnapshot,
  ListSnapshots,
  listSnapshots,
} from "@/lib/simulator/accounts/snapshots";

export const GET = endpoint(ListSnapshots, listSnapshots);
export const POST = endpoint(CreateSnapshot, createSnapshot);
