/** A handle of X. In a line from right to left, the @ of bare text would stand behind it. */
export const Handle = ({ name }: { name: string | null }) => <bdi>@{name}</bdi>;
