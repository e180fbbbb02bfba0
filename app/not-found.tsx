import Link from "next/link";
import { MessagePage } from "@/components/shell/message-page";
import { Button } from "@/components/ui/button";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <MessagePage
      code="404"
      title="There is nothing at this address"
      description="The page may have moved, or the account you are in cannot see it."
      actions={
        <Button asChild>
          <Link href="/">Go to the overview</Link>
        </Button>
      }
    />
  );
}
