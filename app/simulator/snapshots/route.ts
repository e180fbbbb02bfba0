import { endpoint } from "@/lib/runtime/http/endpoint";
import { CreateSnapshot, createSnapshot, ListSnapshots, listSnapshots } from "@/lib/simulator/snapshots";

export const GET = endpoint(ListSnapshots, listSnapshots);
export const POST = endpoint(CreateSnapshot, createSnapshot);
