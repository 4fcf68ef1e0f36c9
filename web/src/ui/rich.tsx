import { Fragment, type ReactNode } from 'react';

interface RichProps {
  text: string;
  /** What becomes of the words within `<name>…</name>`. */
  [name: string]: string | ((words: string) => ReactNode);
}

const TAG = /<(\w{1,20})>([^<]*)<\/\w{1,20}>/;

/** A sentence with parts that are more than text: "Read the <link>rules</link>." */
export const Rich = ({ text, ...parts }: RichProps): ReactNode => {
  const [all = '', name = '', words = ''] = TAG.exec(text) ?? [];
  const part = parts[name];
  if (typeof part !== 'function') return text;
  const at = text.indexOf(all);
  return (
    <Fragment>
      {text.slice(0, at)}
      {part(words)}
      <Rich {...parts} text={text.slice(at + all.length)} />
    </Fragment>
  );
};
