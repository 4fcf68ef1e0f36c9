import { avito } from './avito.ts';
import { csv } from './csv.ts';
import { ebay } from './ebay.ts';
import { etsy } from './etsy.ts';
import type { Format } from './format.ts';
import { googleRss, googleTable } from './google.ts';
import { icasTable, icasXml } from './icas.ts';
import { jsonLd } from './json-ld.ts';
import { osclassXml } from './osclass-xml.ts';
import { ownJson, ownTable } from './own.ts';
import { shopify } from './shopify.ts';
import { trovit } from './trovit.ts';
import { woocommerce } from './woocommerce.ts';
import { yclas } from './yclas.ts';

/** Every format of ads. The first that recognizes a file reads it. */
export const FORMATS: readonly Format[] = [
  ownTable,
  icasTable,
  icasXml,
  osclassXml,
  yclas,
  googleTable,
  googleRss,
  ebay,
  etsy,
  shopify,
  woocommerce,
  trovit,
  avito,
  jsonLd,
  ownJson,
  csv,
];

/** The names that `--format` takes: a table and an XML file of one program have the same. */
export const FORMAT_NAMES: readonly string[] = [...new Set(FORMATS.map(({ name }) => name))];
