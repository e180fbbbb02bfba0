"use client";

import dynamic from "next/dynamic";
import { FilterSelect } from "@/components/data/fields/filter-select";
import { SearchBox } from "@/components/data/fields/search-box";
import { TextFilter } from "@/components/data/fields/text-filter";
import { untilLoaded } from "@/components/data/until-loaded";
import { type Filter, type FilterChange, type FilterValues, PERIODS, RANGE } from "@/lib/client/filters";

// Few lists have these filters, and they are larger than all others together.
const TypeFilter = dynamic(() =>
  untilLoaded(async () => (await import("@/components/events/type-filter")).TypeFilter),
);
const SubjectField = dynamic(() =>
  untilLoaded(async () => (await import("@/components/list/subject-field")).SubjectField),
);

type FilterFieldProps = {
  filter: Filter;
  values: FilterValues;
  onChange: (change: FilterChange) => void;
};

const TIMES = [
  ...Object.entries(PERIODS).map(([value, { label }]) => ({ value, label })),
  { value: RANGE, label: "Custom range" },
];

/** The control of one filter. */
export function FilterField({ filter, values, onChange }: FilterFieldProps) {
  switch (filter.type) {
    case "search":
      return (
        <SearchBox
          name={filter.name}
          label={filter.label}
          placeholder={filter.placeholder}
          value={values[filter.name] ?? ""}
          onSearch={(text) => {
            const change = searched(text, filter.name, filter.pathName);
            onChange(change);
            return change[filter.name] ?? "";
          }}
        />
      );
    case "text":
      return (
        <TextFilter
          name={filter.name}
          label={filter.label}
          placeholder={filter.placeholder}
          wide={filter.wide}
          value={values[filter.name] ?? ""}
          onChange={(text) => onChange({ [filter.name]: text })}
        />
      );
    case "select":
      return (
        <FilterSelect
          name={filter.label}
          all={filter.all}
          value={values[filter.name]}
          options={filter.options}
          onChange={(value) => onChange({ [filter.name]: value })}
        />
      );
    case "time":
      return (
        <FilterSelect
          name={filter.label}
          all="Any time"
          value={values.since}
          options={TIMES}
          onChange={(since) => onChange({ since, from: undefined, to: undefined })}
        />
      );
    case "types":
      return (
        <TypeFilter
          groups={filter.groups}
          chosen={values[filter.name]?.split(",") ?? []}
          onChange={(types) => onChange({ [filter.name]: types.join(",") })}
        />
      );
    case "subject":
      return <SubjectField filter={filter} values={values} onChange={onChange} />;
    case "tab":
      return null;
  }
}

function searched(text: string, name: string, pathName: string | undefined): FilterChange {
  const wanted = text.trim();
  if (pathName !== undefined && wanted.startsWith("/")) return { [name]: undefined, [pathName]: wanted };
  return { [name]: wanted };
}
