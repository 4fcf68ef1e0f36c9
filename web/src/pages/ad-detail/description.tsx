import { useLayoutEffect, useRef, useState } from 'react';
import { cn } from '../../lib/cn.ts';
import { Button } from '../../ui/button.tsx';

const FOLDED_LINES = 12;
const USUAL_LINE = 62;

/** A guess for the first HTML, so that "Show more" seldom moves what is below it when the lines have been measured. */
const looksLong = (text: string): boolean =>
  text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / USUAL_LINE)), 0) > FOLDED_LINES;

/** The seller's words; long ones are folded after twelve lines. */
export const Description = ({ text }: { text: string }) => {
  const paragraph = useRef<HTMLParagraphElement>(null);
  const [isLong, setLong] = useState(() => looksLong(text));
  const [isOpen, setOpen] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew for another text
  useLayoutEffect(() => {
    const element = paragraph.current;
    setLong(element !== null && element.scrollHeight > element.clientHeight + 1);
  }, [text]);

  return (
    <section aria-labelledby="description" className="grid gap-2">
      <h2 id="description" className="text-lg font-semibold">
        Description
      </h2>
      <p
        ref={paragraph}
        dir="auto"
        className={cn('max-w-[68ch] break-words whitespace-pre-line', isOpen || 'line-clamp-12 print:line-clamp-none')}
      >
        {text}
      </p>
      {isLong ? (
        <Button
          variant="link"
          size="inline"
          className="min-h-8 w-fit"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show more'}
        </Button>
      ) : null}
    </section>
  );
};
