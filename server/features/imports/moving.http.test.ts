import { testMoving } from '../../../test/harness/moving.ts';
import { SHOP_SAMPLES } from '../../../test/harness/shop-files.ts';

await testMoving(SHOP_SAMPLES);
