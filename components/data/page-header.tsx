import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { Grouped } from "@/components/data/grouped";
import {
  Breadcrumb,
  BreadcrumbItem,
  BreadcrumbLink,
  BreadcrumbList,
  BreadcrumbPage,
  BreadcrumbSeparator,
} from "@/components/ui/breadcrumb";

type PageHeaderProps = {
  title: string;
  description?: ReactNode;
  /** A badge beside the title. */
  status?: ReactNode;
  actions?: ReactNode;
  /** The parent pages, nearest last. The page's title is appended. */
  breadcrumbs?: { label: string; href: string }[];
};

/** The header of every page: the h1, a description and actions. */
export function PageHeader({ title, description, status, actions, breadcrumbs }: PageHeaderProps) {
  return (
    <header className="flex flex-col gap-2">
      {breadcrumbs && <Crumbs breadcrumbs={breadcrumbs} title={title} />}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-col gap-1">
          <div className="flex flex-wrap items-center gap-2.5">
            <h1 className="min-w-0 break-words font-semibold text-xl tracking-tight">
              <Grouped>{title}</Grouped>
            </h1>
            {status}
          </div>
          {description && (
            <div className="max-w-2xl text-pretty text-muted-foreground leading-relaxed">{description}</div>
          )}
        </div>
        {actions && <div className="flex max-w-full shrink-0 flex-wrap items-center gap-2">{actions}</div>}
      </div>
    </header>
  );
}

function Crumbs({ breadcrumbs, title }: Required<Pick<PageHeaderProps, "breadcrumbs" | "title">>) {
  return (
    <Breadcrumb>
      <BreadcrumbList>
        {breadcrumbs.map((crumb) => (
          <Fragment key={crumb.href}>
            <BreadcrumbItem>
              <BreadcrumbLink asChild>
                <Link href={crumb.href}>{crumb.label}</Link>
              </BreadcrumbLink>
            </BreadcrumbItem>
            <BreadcrumbSeparator />
          </Fragment>
        ))}
        <BreadcrumbItem>
          <BreadcrumbPage>
            <Grouped>{title}</Grouped>
          </BreadcrumbPage>
        </BreadcrumbItem>
      </BreadcrumbList>
    </Breadcrumb>
  );
}
