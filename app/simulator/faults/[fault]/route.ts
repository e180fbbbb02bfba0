import { endpoint } from "@/lib/runtime/http/endpoint";
import { RemoveFault, removeFault } from "@/lib/simulator/faults/change-faults";

export const DELETE = endpoint(RemoveFault, removeFault);
