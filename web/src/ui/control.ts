/** The shape shared by text fields, selects and text areas. Text of 16 px on phones, or iOS zooms into the field. */
export const CONTROL =
  'w-full min-w-0 rounded-control border border-input bg-card px-3 text-base text-foreground transition-colors duration-150 text-ellipsis placeholder:text-muted-foreground aria-invalid:border-destructive disabled:opacity-55 md:text-sm';
