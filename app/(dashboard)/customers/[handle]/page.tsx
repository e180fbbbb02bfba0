import { notFound } from "next/navigation";
import { cache } from "react";
import { CustomerScreen } from "@/components/customers/customer-screen";
import { listLines } from "@/lib/lines/lines/list-lines";
import { groupedNumber } from "@/lib/platform/text/phone-formats";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { GetCustomer, getCustomer } from "@/lib/runtime/dashboard/get-customer";

type CustomerPageProps = { params: Promise<{ handle: string }> };

const readCustomer = cache(async (handle: string) => {
  const { ctx } = await requireAccount("view_chats");
  const asked = GetCustomer.params.safeParse({ handle: decodeURIComponent(handle) });
  return asked.success ? getCustomer(ctx, { params: asked.data }) : notFound();
});

export async function generateMetadata({ params }: CustomerPageProps) {
  const { name, handle } = await readCustomer((await params).handle);
  return { title: name ?? groupedNumber(handle) };
}

export default async function CustomerPage({ params }: CustomerPageProps) {
  const { account, ctx, may } = await requireAccount("view_chats");
  const [customer, { phone_numbers }] = await Promise.all([
    readCustomer((await params).handle),
    listLines(ctx),
  ]);
  return (
    <CustomerScreen
      key={`${account.id} ${customer.handle}`}
      initial={customer}
      lines={phone_numbers}
      rights={{
        decideOptOuts: may("decide_opt_outs"),
        manageBlocks: may("manage_blocks"),
        managePersonalData: may("manage_personal_data"),
        send: may("send_messages"),
      }}
    />
  );
}
