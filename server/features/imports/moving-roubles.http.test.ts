import { testMoving } from '../../../test/harness/moving.ts';
import { ROUBLE_SAMPLES } from '../../../test/harness/shop-files.ts';

// the format has no currency: its prices are roubles
await testMoving(ROUBLE_SAMPLES, { CURRENCY: 'RUB' });
