import { type ChangeEvent, useState } from 'react';
import { useRoomLeft } from '../../lib/use-room-left.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Textarea } from '../../ui/textarea.tsx';

interface ContactFieldProps {
  label: string;
  name: string;
  max: number;
  error: string | undefined;
  type?: 'text' | 'email';
  autoComplete?: string;
  defaultValue?: string;
  /** As many make it a field of several lines. */
  rows?: number;
}

/** A field of the contact form, which tells how much room is left once its end is near. */
export const ContactField = ({ label, max, error, type, rows, ...control }: ContactFieldProps) => {
  const [text, setText] = useState(control.defaultValue ?? '');
  const room = useRoomLeft(text, max);
  const handleChange = (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => setText(event.target.value);
  return (
    <Field label={label} required error={error} {...room.field}>
      {rows ? (
        <Textarea {...control} rows={rows} onChange={handleChange} />
      ) : (
        <Input {...control} type={type} onChange={handleChange} />
      )}
    </Field>
  );
};
