import Link from "next/link";
import { MessagePage } from "@/components/shell/message-page";
import { Button } from "@/components/ui/button";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <MessagePage
      code="404"
      title="Page not found"
      description="The page may have moved, or it belongs to another account."
      actions={
        <Button asChild>
          <Link href="/">Go to Home</Link>
        </Button>
      }
    />
  );
}
