import { gzipSync } from 'node:zlib';

const text = (content: string) => Buffer.from(content, 'latin1');
const hex = (start: string, size = 200) =>
  Buffer.concat([Buffer.from(start.replaceAll(' ', ''), 'hex'), Buffer.alloc(size, 7)]);
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)"><rect width="9" height="9"/></svg>';
const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('');

/** The first bytes of file types that no ad needs. Several have decoders with a history of memory errors. */
export const FOREIGN_FILES: Record<string, Buffer> = {
  'an SVG with script': text(svg),
  'an SVG that reads a file': text(
    `<?xml version="1.0"?><!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg.replace('<rect', '<text>&x;</text><rect')}`,
  ),
  'an SVG of a billion laughs': text(
    `<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a0 "ha">${entities}]>${svg.replace('<rect', '<text>&a9;</text><rect')}`,
  ),
  'a compressed SVG': gzipSync(svg),
  'a GIF': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  'a little-endian TIFF': hex('49492a00 08000000'),
  'a big-endian TIFF': hex('4d4d002a 00000008'),
  'an AVIF': hex('0000001c 66747970 61766966 00000000 61766966 6d696631'),
  'a HEIC': hex('00000018 66747970 68656963 00000000 6d696631'),
  'a BMP': hex('424d 36000000 00000000 36000000 28000000 01000000 01000000 01001800'),
  'an icon': hex('00000100 0100 0101 0000 0100 1800'),
  'a Photoshop file': hex('38425053 0001 000000000000 0003 00000001 00000001'),
  'a JPEG XL': hex('ff0a fa7f 01900808'),
  'a JPEG 2000': hex('0000000c 6a502020 0d0a870a'),
  'a PDF': text('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>'),
  'a PostScript file': text('%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) (r) file'),
  'a PPM': text('P6 2 2 255\n123456789012'),
  'a Radiance picture': text('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n1234'),
  'an OpenEXR': hex('762f3101 02000000'),
  'a FITS': text('SIMPLE  =                    T'.padEnd(2880)),
  'a vips picture': hex('08f2a6b6 01000000 01000000'),
  'a table of numbers': text('1,2,3\n4,5,6\n'),
  'an HTML page': text('<!doctype html><script>alert(1)</script>'),
  'a PHP script': text('<?php system($_GET[0]); ?>'),
  'an ImageMagick script': text("push graphic-context\nfill 'url(https://127.0.0.1/\"|id)'\npop graphic-context"),
  'an ELF program': hex('7f454c46 02010100'),
  'a Windows program': hex('4d5a9000 03000000'),
  'a ZIP': hex('504b0304 14000000'),
  'an MP4': hex('00000020 66747970 69736f6d 00000200'),
  'a WAV': Buffer.concat([text('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(40)]),
  zeros: Buffer.alloc(1000),
  'one byte': Buffer.from([0xff]),
};
