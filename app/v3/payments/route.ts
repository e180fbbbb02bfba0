import { endpoint } from "@/lib/http/endpoint";
import { CreatePayment, createPayment } from "@/lib/payments/agent-payments/create-payment";

export const POST = endpoint(CreatePayment, createPayment);
