import { getLocale, labels } from '../../../../contract/i18n.ts';
import type { Import, ImportField, ImportFormat, RowKind } from '../../../../contract/imports.ts';

export const FORMATS = labels<ImportFormat>({
  tradepost: 'imports.formatTradepost',
  csv: 'imports.formatCsv',
  icas: 'imports.formatIcas',
  'osclass-xml': 'imports.formatOsclassXml',
  yclas: 'imports.formatYclas',
  google: 'imports.formatGoogle',
  ebay: 'imports.formatEbay',
  etsy: 'imports.formatEtsy',
  shopify: 'imports.formatShopify',
  woocommerce: 'imports.formatWooCommerce',
  trovit: 'imports.formatTrovit',
  avito: 'imports.formatAvito',
  'json-ld': 'imports.formatJsonLd',
});

export const FIELDS = labels<ImportField>({
  title: 'imports.fieldTitle',
  description: 'imports.fieldDescription',
  price: 'imports.fieldPrice',
  category: 'imports.fieldCategory',
  images: 'imports.fieldImages',
  condition: 'imports.fieldCondition',
  location: 'imports.fieldLocation',
  id: 'imports.fieldId',
  priceType: 'imports.fieldPriceType',
  currency: 'imports.fieldCurrency',
  state: 'imports.fieldState',
  link: 'imports.fieldLink',
  brand: 'imports.fieldBrand',
  color: 'imports.fieldColor',
  size: 'imports.fieldSize',
});

export const KINDS = labels<RowKind>({
  new: 'imports.new',
  changed: 'imports.changed',
  same: 'imports.same',
  wrong: 'imports.wrong',
});

export const STATES = labels<Import['state']>({
  ready: 'imports.stateReady',
  running: 'imports.stateRunning',
  done: 'imports.stateDone',
  failed: 'imports.stateFailed',
});

export const formatMegabytes = (bytes: number): string =>
  new Intl.NumberFormat(getLocale(), { style: 'unit', unit: 'megabyte' }).format(bytes / 1024 / 1024);
