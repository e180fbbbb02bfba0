import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  AddFault,
  addFault,
  ListFaults,
  listFaults,
  RemoveFaults,
  ReplaceFaults,
  removeFaults,
  replaceFaults,
} from "@/lib/simulator/faults/change-faults";

export const GET = endpoint(ListFaults, listFaults);
export const PUT = endpoint(ReplaceFaults, replaceFaults);
export const POST = endpoint(AddFault, addFault);
export const DELETE = endpoint(RemoveFaults, removeFaults);
