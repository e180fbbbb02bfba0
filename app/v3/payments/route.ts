import { CreatePayment, createPayment } from "@/lib/payments/agent-payments/create-payment";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(CreatePayment, createPayment);
